import { Timer } from '../../services/timer.ts';
import type { HookWatch } from './watch.ts';

/** What a hook may answer with. */
export interface HookRules<A, T> {
  /** What is wrong with an answer, as in `it answered …`; undefined: nothing. */
  readonly check: (answer: T) => string | undefined;
  /** Takes an answer that came after the time limit. */
  readonly late?: (answer: T, argument: A) => void;
}

/** For a hook that answers nothing. */
export const anyAnswer: HookRules<unknown, unknown> = { check: () => undefined };

const isPending = <T>(answer: T | PromiseLike<T>): answer is PromiseLike<T> =>
  typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function';

const fail = (watch: HookWatch, since: number, thrown: unknown, requestId: string | undefined): undefined => {
  watch.time(since);
  const refusal = watch.judge(thrown, requestId);
  if (refusal !== undefined) throw refusal;
};

const accept = <A, T>(watch: HookWatch, { check }: HookRules<A, T>, since: number, answer: T, requestId: string | undefined): T | undefined => {
  const wrong = check(answer);
  if (wrong !== undefined) return fail(watch, since, watch.wrong(wrong), requestId);
  watch.time(since);
  return answer;
};

/** The hook waits for something: its time is limited. */
const wait = <A, T>(watch: HookWatch, rules: HookRules<A, T>, since: number, pending: PromiseLike<T>, argument: A, requestId: string | undefined): Promise<T | undefined> =>
  new Promise((resolve) => {
    let isOver = false;
    const conclude = (how: () => T | undefined): void => {
      if (isOver) return;
      isOver = true;
      timer.stop();
      resolve(Promise.try(how));
    };
    const timer = new Timer(watch.timeout, () => conclude(() => fail(watch, since, watch.late(), requestId)));
    void pending.then(
      (answer) => (isOver ? rules.late?.(answer, argument) : conclude(() => accept(watch, rules, since, answer, requestId))),
      (thrown: unknown) => conclude(() => fail(watch, since, thrown, requestId)),
    );
  });

/**
 * Calls a hook with one or two arguments. What is answered without a promise is given back without one, and without a
 * timer.
 * @returns undefined where the hook failed and is to be skipped
 * @throws GatewayError what the hook decided, or `internal_error` (the promise rejects where one is returned)
 */
export const callHook = <A, B, T>(
  watch: HookWatch,
  rules: HookRules<A, T>,
  hook: (one: A, other: B) => T | PromiseLike<T>,
  one: A,
  other: B,
  requestId?: string,
): T | undefined | Promise<T | undefined> => {
  const since = performance.now();
  let answer: T | PromiseLike<T>;
  try {
    answer = hook(one, other);
  } catch (thrown) {
    return fail(watch, since, thrown, requestId);
  }
  return isPending(answer) ? wait(watch, rules, since, answer, one, requestId) : accept(watch, rules, since, answer, requestId);
};
