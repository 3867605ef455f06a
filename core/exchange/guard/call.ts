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

/** A hook that has to wait: its time is limited. */
class PendingHook<A, T> {
  readonly #watch: HookWatch;
  readonly #rules: HookRules<A, T>;
  readonly #since: number;
  readonly #argument: A;
  readonly #requestId: string | undefined;
  #isOver = false;

  constructor(watch: HookWatch, rules: HookRules<A, T>, since: number, argument: A, requestId: string | undefined) {
    this.#watch = watch;
    this.#rules = rules;
    this.#since = since;
    this.#argument = argument;
    this.#requestId = requestId;
  }

  wait(pending: PromiseLike<T>): Promise<T | undefined> {
    const late = (): undefined => this.#fail(this.#watch.late());
    return new Promise((resolve) => {
      const conclude = (how: () => T | undefined): void => {
        if (this.#isOver) return;
        this.#isOver = true;
        timer.stop();
        resolve(Promise.try(how));
      };
      const timer = new Timer(this.#watch.timeout, () => conclude(late));
      const accept = (answer: T): void => {
        if (this.#isOver) this.#rules.late?.(answer, this.#argument);
        else conclude(() => this.#accept(answer));
      };
      void pending.then(accept, (thrown: unknown) => conclude(() => this.#fail(thrown)));
    });
  }

  #accept(answer: T): T | undefined {
    const wrong = this.#rules.check(answer);
    if (wrong !== undefined) return this.#fail(this.#watch.wrong(wrong));
    this.#watch.time(this.#since);
    return answer;
  }

  #fail(thrown: unknown): undefined {
    return fail(this.#watch, this.#since, thrown, this.#requestId);
  }
}

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
  if (isPending(answer)) return new PendingHook(watch, rules, since, one, requestId).wait(answer);
  const wrong = rules.check(answer);
  if (wrong !== undefined) return fail(watch, since, watch.wrong(wrong), requestId);
  watch.time(since);
  return answer;
};
