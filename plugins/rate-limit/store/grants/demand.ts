/** A grant is at most what a bucket was used for in this time. Milliseconds. */
export const SPAN_MS = 200;
/** A bucket that is used less often than this in a span is counted in the store: a grant would save no call. */
const LEAST_USES = 3;
/** After the store had nothing to grant, or has refused a request, nothing is wanted for so long. */
const PAUSE_MS = 1_000;

interface Span {
  /** All requests. */
  uses: number;
  /** Requests that could be decided here, and what they took. */
  takes: number;
  taken: number;
}

const emptySpan = (): Span => ({ uses: 0, takes: 0, taken: 0 });

/** How much this process uses one bucket, in this span and in the one before. */
export class Demand {
  #now = emptySpan();
  #before = emptySpan();
  #pausedUntil = -Infinity;

  use(): void {
    this.#now.uses += 1;
  }

  take(amount: number): void {
    this.#now.takes += 1;
    this.#now.taken += amount;
  }

  /** @returns whether the bucket was used */
  endSpan(): boolean {
    const isUsed = this.#now.uses + this.#before.uses > 0;
    [this.#before, this.#now] = [this.#now, emptySpan()];
    return isUsed;
  }

  /** @param now monotonic */
  pause(now: number): void {
    this.#pausedUntil = now + PAUSE_MS;
  }

  /** Whether a part of the bucket is worth to be taken in advance. @param now monotonic */
  isOpen(now: number): boolean {
    return now >= this.#pausedUntil && Math.max(this.#now.uses, this.#before.uses) >= LEAST_USES;
  }

  /** Whether requests could be decided here. */
  get isTaken(): boolean {
    return this.#now.takes + this.#before.takes > 0;
  }

  /** How much should be held: what was used in a span. @param now monotonic */
  target(now: number): number {
    return this.isOpen(now) ? Math.max(this.#now.taken, this.#before.taken) : 0;
  }

  /** What one request takes on average: a smaller amount is of no use. */
  get least(): number {
    return Math.ceil((this.#now.taken + this.#before.taken) / Math.max(1, this.#now.takes + this.#before.takes));
  }
}
