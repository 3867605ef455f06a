import type { HookWatch } from './watch.ts';

export interface HookCall<T> {
  readonly call: () => T | PromiseLike<T>;
  /** What is wrong with an answer, as in `it answered …`; undefined: nothing. */
  readonly check: (answer: T) => string | undefined;
  readonly requestId?: string;
  /** Takes an answer that came after its time. */
  readonly late?: (answer: T) => void;
}

const isPending = <T>(answer: T | PromiseLike<T>): answer is PromiseLike<T> => typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function';

/**
 * Calls a hook. What is answered without a promise is given back without one, and without a timer.
 * @returns undefined where the hook failed and is to be skipped
 * @throws GatewayError what the hook decided, or `internal_error` (the promise rejects where one is returned)
 */
export const callHook = <T>(watch: HookWatch, { call, check, requestId, late }: HookCall<T>): T | undefined | Promise<T | undefined> => {
  const since = performance.now();
  const fail = (thrown: unknown): undefined => {
    watch.time(since);
    const refusal = watch.judge(thrown, requestId);
    if (refusal !== undefined) throw refusal;
  };
  const accept = (answer: T): T | undefined => {
    const what = check(answer);
    if (what !== undefined) return fail(watch.wrong(what));
    watch.time(since);
    return answer;
  };
  const wait = (pending: PromiseLike<T>): Promise<T | undefined> =>
    new Promise((resolve) => {
      let isOver = false;
      const conclude = (how: () => T | undefined): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        resolve(Promise.try(how));
      };
      const timer = setTimeout(() => conclude(() => fail(watch.late())), watch.timeout);
      void pending.then(
        (answer) => (isOver ? late?.(answer) : conclude(() => accept(answer))),
        (thrown: unknown) => conclude(() => fail(thrown)),
      );
    });
  let answer: T | PromiseLike<T>;
  try {
    answer = call();
  } catch (thrown) {
    return fail(thrown);
  }
  return isPending(answer) ? wait(answer) : accept(answer);
};
