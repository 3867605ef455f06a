import type { MetricShape } from './shape.ts';

/** Where the figures of a series begin, in memory of the thread that counts them. */
export interface Slots {
  readonly words: Float64Array;
  readonly at: number;
}

/**
 * The values of one label combination. One thread writes them; the main thread reads them meanwhile, without a lock.
 * Every machine that Node runs on writes a word of 64 bits at a multiple of its size in one piece: a reader sees the
 * number before or after an update. Of the words of a histogram it can see one before and another after it: then the
 * sum has one observation less than the counts, until the next scrape.
 */
export interface Figures {
  /** Adds to a counter, sets a gauge, observes in a histogram. */
  take(value: number): void;
  /** A copy, in the form of a snapshot. */
  read(): readonly number[];
}

class CounterFigure implements Figures {
  readonly #words: Float64Array;
  readonly #at: number;

  constructor({ words, at }: Slots) {
    this.#words = words;
    this.#at = at;
  }

  take(value: number): void {
    const words = this.#words;
    words[this.#at] = (words[this.#at] ?? 0) + value;
  }

  read(): readonly number[] {
    return [this.#words[this.#at] ?? 0];
  }
}

class GaugeFigure implements Figures {
  readonly #words: Float64Array;
  readonly #at: number;

  constructor({ words, at }: Slots) {
    this.#words = words;
    this.#at = at;
  }

  take(value: number): void {
    this.#words[this.#at] = value;
  }

  read(): readonly number[] {
    return [this.#words[this.#at] ?? 0];
  }
}

/** Each value is counted in one bucket, of which the last is the infinite one; `read` accumulates the buckets. */
class HistogramFigures implements Figures {
  readonly #bounds: readonly number[];
  readonly #words: Float64Array;
  readonly #at: number;
  /** The place of the sum. */
  readonly #sumAt: number;

  constructor(bounds: readonly number[], { words, at }: Slots) {
    this.#bounds = bounds;
    this.#words = words;
    this.#at = at;
    this.#sumAt = at + bounds.length + 1;
  }

  take(value: number): void {
    const bounds = this.#bounds;
    const words = this.#words;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    const at = this.#at + bucket;
    words[at] = (words[at] ?? 0) + 1;
    words[this.#sumAt] = (words[this.#sumAt] ?? 0) + value;
  }

  read(): readonly number[] {
    const figures: number[] = [];
    let total = 0;
    for (let at = this.#at; at < this.#sumAt; at += 1) figures.push((total += this.#words[at] ?? 0));
    figures.push(this.#words[this.#sumAt] ?? 0);
    return figures;
  }
}

/** How many words a series of this metric needs. */
export const countWords = ({ type, buckets = [] }: MetricShape): number =>
  type === 'histogram' ? buckets.length + 2 : 1;

export const createFigures = ({ type, buckets = [] }: MetricShape, slots: Slots): Figures => {
  if (type === 'histogram') return new HistogramFigures(buckets, slots);
  return type === 'counter' ? new CounterFigure(slots) : new GaugeFigure(slots);
};
