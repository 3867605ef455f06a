import { GatewayError } from '../../core/api/index.ts';

/** Work that can be continued later. It yields the steps that it has taken since it yielded before. */
export type Work<T> = Generator<number, T, void>;

/** Steps that are taken in one turn of the event loop: some 5 ms. */
const STEPS_OF_SLICE = 250_000;

/** The steps that one request may take. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  allows(steps: number): boolean {
    return steps <= this.#left;
  }

  /** @returns false if more steps are taken than are left */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/** Does work at once. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Lets all long searches of a process take turns: one slice in each turn of the event loop, whatever their number. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** @returns a promise only if the work takes longer than one slice. It rejects when the client leaves. */
  run<T>(work: Work<T>, signal: AbortSignal): T | Promise<T> {
    const first = takeSlice(work);
    return first.done === true ? first.value : this.#continue(work, signal);
  }

  async #continue<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      await new Promise<void>((resolve) => this.#wait(resolve));
      if (signal.aborted) throw new GatewayError('client_closed');
      const slice = takeSlice(work);
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

/** @returns what the work has last yielded or returned */
function takeSlice<T>(work: Work<T>): IteratorResult<number, T> {
  for (let steps = 0; ;) {
    const result = work.next();
    if (result.done === true) return result;
    steps += result.value;
    if (steps >= STEPS_OF_SLICE) return result;
  }
}
