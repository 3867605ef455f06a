import type { Loss } from '../canonical/loss.ts';
import type { Attempt, Lane } from '../contracts/exchange.ts';
import type { Reply } from '../contracts/reply.ts';
import { describeEnding, describeLeaving, type SeenAnswer } from './ending.ts';
import { hasLeft } from './read-on.ts';

export interface PlainAnswer {
  /** The whole body as the client gets it. */
  readonly bytes: string | Uint8Array;
  readonly seen: SeenAnswer;
  readonly lane: Lane;
  readonly attempt: Pick<Attempt, 'target' | 'signal'>;
  readonly losses: readonly Loss[];
  readonly waitedMs: number;
}

/** An answer that is complete before anything of it is sent. */
export const createPlainReply = ({ bytes, seen, lane, attempt: { target, signal }, losses, waitedMs }: PlainAnswer): Reply => ({
  status: 200,
  lane,
  target,
  losses,
  waitedMs,
  headers: { 'content-type': 'application/json', 'content-length': String(typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.byteLength) },
  deliver: async (output) => {
    if (hasLeft(signal)) return describeLeaving(seen, signal, undefined);
    const since = performance.now();
    const full = output.write(bytes);
    await full;
    return { ...describeEnding(seen, undefined), waitedMs: full === undefined ? 0 : performance.now() - since };
  },
  cancel: () => {},
});
