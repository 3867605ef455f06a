import type { Usage } from '../canonical/usage.ts';

/** What the calls of one attempt have come to. */
export interface CallTally {
  sent(): void;
  answered(status: number): void;
  /** What was reported so far, of all of them. */
  reported(usages: readonly Usage[]): void;
  /** Of the upstream; 0 where none arrived. Of several answers that of a failure. */
  readonly status: number;
  readonly count: number;
  /** The calls that must be paid although nothing of them was shown, each with what it had reported. @param left the client left meanwhile */
  listPaid(left: boolean): readonly (Usage | undefined)[];
}

export const createCallTally = (): CallTally => {
  let [count, answers, begun, status] = [0, 0, 0, 0];
  let known: readonly Usage[] = [];
  return {
    sent: () => void (count += 1),
    answered: (given) => {
      answers += 1;
      if (given >= 200 && given < 300) begun += 1;
      if (status < 400) status = given;
    },
    reported: (usages) => void (known = usages),
    get status() {
      return status;
    },
    get count() {
      return count;
    },
    listPaid: (left) => Array.from({ length: begun + (left ? count - answers : 0) }, (_, call) => known[call]),
  };
};
