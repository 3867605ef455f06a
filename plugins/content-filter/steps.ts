import { GatewayError, type Clock, type Draft } from '../../core/api/index.ts';

/** Computation that can be continued later. It yields the steps that it has taken since it yielded before. */
export type Steps<T> = Generator<number, T, void>;

/** Steps that are taken in one turn of the event loop: some 5 ms. */
const STEPS_OF_SLICE = 500_000;
/** Steps that are reported together. */
const STEPS_OF_REPORT = 100_000;
/** Milliseconds after which a search is given up: less than the time limit of a hook. */
const LONGEST = 4_000;

/** The steps that the rules may take for one request, or for one text of a response. */
export class Budget {
  readonly #steps: number;
  readonly #work: Draft['work'];
  #left: number;
  #unreported = 0;

  /** @param work where the steps count for the key and the process */
  constructor(steps: number, work: Draft['work']) {
    this.#steps = steps;
    this.#work = work;
    this.#left = steps;
  }

  /**
   * Pays for steps before they are taken.
   * @returns false if that is more than what is left
   * @throws GatewayError if the key or the process has none left
   */
  pay(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    this.#unreported += steps;
    if (this.#unreported >= STEPS_OF_REPORT) this.report();
    return true;
  }

  report(): void {
    const steps = this.#unreported;
    this.#unreported = 0;
    if (steps > 0) this.#work.spend(steps);
  }

  renew(): void {
    this.#left = this.#steps;
  }
}

/** Takes all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Lets all long searches of a process take turns: one slice in each turn of the event loop, whatever their number. */
export class Turns {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @returns a promise only if there is more than one slice
   * @throws GatewayError if the client leaves, or `overloaded` if other searches leave too few turns
   */
  run<T>(steps: Steps<T>, signal: AbortSignal): T | Promise<T> {
    const first = takeSlice(steps);
    return first.done === true ? first.value : this.#continue(steps, signal);
  }

  async #continue<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
    const since = this.#clock.monotonic();
    for (;;) {
      await new Promise<void>((resolve) => this.#wait(resolve));
      signal.throwIfAborted();
      if (this.#clock.monotonic() - since > LONGEST)
        throw new GatewayError(
          'overloaded',
          'The content filter of this gateway has more to search than it can at the moment. Try again in a second.',
          { retryAfterMs: 1_000 },
        );
      const slice = takeSlice(steps);
      if (slice.done === true) return slice.value;
    }
  }

  #wait(begin: () => void): void {
    this.#waiting.push(begin);
    if (this.#waiting.length === 1) setImmediate(this.#next);
  }

  readonly #next = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#next);
  };
}

/** @returns what was last yielded, or returned */
function takeSlice<T>(steps: Steps<T>): IteratorResult<number, T> {
  for (let taken = 0; ;) {
    const result = steps.next();
    if (result.done === true) return result;
    taken += result.value;
    if (taken >= STEPS_OF_SLICE) return result;
  }
}
