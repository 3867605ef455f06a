import { Timer } from '../../services/timer.ts';
import type { HookWatch } from './hook.ts';

export interface DeadlineWrapperParts<A, R> {
  readonly watch: HookWatch;
  readonly requestId?: string;
  /** The rest of the chain, which the hook wraps. */
  inner(argument: A): Promise<R>;
  /** The argument of `inner` where the hook is skipped before it has called it. */
  readonly argument: A;
  /** The hook can call `inner` only once. */
  readonly once?: boolean;
  /** What is wrong with a result, to complete `it returned …`; undefined: nothing. */
  check(result: R): string | undefined;
  /** Maps a valid result to the one that is passed on. */
  accept?(result: R): R;
  /** Releases a result of `inner` that is not passed on. */
  drop?(result: R): void;
}

/**
 * Runs a hook that wraps the rest of the chain, and limits the hook's own time. The clock starts with the hook, stops
 * while `inner` runs, and starts anew when `inner` has settled. If the hook fails and is skipped, the result of `inner`
 * stands in for its own. An error that `inner` threw is passed on as it is, since the hook did not cause it.
 */
export class DeadlineWrapper<A, R> {
  readonly #parts: DeadlineWrapperParts<A, R>;
  readonly #result = Promise.withResolvers<R>();
  readonly #innerErrors = new Set<unknown>();
  #innerResult: Promise<R> | undefined;
  #isOver = false;
  /** How many things the clock is stopped for. */
  #stops = 0;
  #timer: Timer | undefined;
  /** When the clock was started; undefined while it is stopped. */
  #since: number | undefined;

  constructor(parts: DeadlineWrapperParts<A, R>) {
    this.#parts = parts;
  }

  run(hook: () => Promise<R>): Promise<R> {
    this.#startClock();
    void new Promise<R>((resolve) => resolve(hook())).then(this.#take, this.fail);
    return this.#result.promise;
  }

  /** The hook calls the rest of the chain. */
  next(argument: A): Promise<R> {
    if (this.#isOver) return this.#innerResult ?? this.#result.promise;
    if (this.#parts.once === true && this.#innerResult !== undefined)
      return Promise.reject(new Error('it called next twice'));
    this.#suspend();
    const passed = this.#callInner(argument);
    passed.then(this.#resume, this.#resume);
    return passed;
  }

  /** Stops the clock until this has settled. Without a promise the clock only starts anew. */
  suspendDuring(pending: Promise<unknown> | undefined): void {
    this.#suspend();
    if (pending === undefined) this.#resume();
    else pending.then(this.#resume, this.#resume);
  }

  /** Runs the clock until this has settled, although `inner` is running: `inner` waits for the hook. */
  countDuring(pending: Promise<unknown>): void {
    this.#resume();
    pending.then(this.#suspend, this.#suspend);
  }

  readonly fail = (thrown: unknown): void => {
    if (!this.#finish()) return;
    const { watch, requestId, argument, drop } = this.#parts;
    const refusal = this.#innerErrors.has(thrown) ? thrown : watch.judge(thrown, requestId);
    if (refusal === undefined) {
      this.#result.resolve(this.#innerResult ?? this.#callInner(argument));
      return;
    }
    this.#result.reject(refusal);
    this.#innerResult?.then(drop, () => {});
  };

  readonly #take = (result: R): void => {
    const { watch, check, accept } = this.#parts;
    const wrong = check(result);
    if (wrong !== undefined) this.fail(watch.wrong(wrong));
    else if (this.#finish()) this.#result.resolve(accept === undefined ? result : accept(result));
  };

  /** @returns false where the run was over already */
  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#stopClock();
    return true;
  }

  #callInner(argument: A): Promise<R> {
    const passed = this.#parts.inner(argument);
    this.#innerResult = passed;
    passed.catch((thrown: unknown) => this.#innerErrors.add(thrown));
    return passed;
  }

  readonly #suspend = (): void => {
    this.#stopClock();
    this.#stops += 1;
  };

  readonly #resume = (): void => {
    this.#stops -= 1;
    if (!this.#isOver && this.#stops === 0) this.#startClock();
  };

  #startClock(): void {
    const { watch } = this.#parts;
    this.#since = performance.now();
    this.#timer = new Timer(watch.timeout, () => this.fail(watch.late()));
  }

  #stopClock(): void {
    this.#timer?.stop();
    if (this.#since !== undefined) this.#parts.watch.time(this.#since);
    this.#since = undefined;
  }
}
