import type { Exchange, Operation } from '../../../core/api/index.ts';

/** How many of the latest responses are kept. */
const LATEST = 100;
/** With fewer responses than this nothing is derived from them. */
const ENOUGH = 50;
/** With it, one response of a hundred can be slower. */
const QUANTILE = 0.99;
/** The quantile is computed again after this many responses. */
const EVERY = 10;

const WEIGHT = 0.2;
const HALF_LIFE_MS = 30_000;

/** What is comparable: streamed responses begin earlier than whole ones, and counts of tokens earlier still. */
export type LatencyKind = 'streamed' | Operation;

export const kindOf = ({ operation, request }: Pick<Exchange, 'operation' | 'request'>): LatencyKind =>
  'stream' in request && request.stream ? 'streamed' : operation;

/**
 * How long a target takes until its response begins: a moving average that decays, so that a slow target is tried
 * again. Milliseconds; 0 if nothing is known.
 */
export class Latency {
  readonly #times: number[] = [];
  #next = 0;
  #isNew = 0;
  #quantile: number | undefined;
  #wasEnded = false;
  #mean = 0;
  #at = 0;

  add(now: number, milliseconds: number): void {
    this.#mean = this.#mean === 0 ? milliseconds : this.#mean + WEIGHT * (milliseconds - this.#mean);
    this.#at = now;
    this.#wasEnded = false;
    this.#times[this.#next] = Math.ceil(milliseconds);
    this.#next = (this.#next + 1) % LATEST;
    this.#isNew += 1;
  }

  /** The average without decay. */
  get usual(): number {
    return this.#mean;
  }

  read(now: number): number {
    return this.#mean * 0.5 ** ((now - this.#at) / HALF_LIFE_MS);
  }

  /**
   * An attempt was ended before its response began. If others work, it was only slow: its time counts, so that slow
   * requests make the quantile longer. Of several in a row only the first counts: then the target is silent. The
   * average stays as it is.
   */
  addEnded(milliseconds: number): void {
    if (!this.#wasEnded) {
      const mean = this.#mean;
      this.add(this.#at, milliseconds);
      this.#mean = mean;
    }
    this.#wasEnded = true;
  }

  /** The 99th percentile; undefined: too few responses are known. */
  get quantile(): number | undefined {
    const { length } = this.#times;
    if (length < ENOUGH) return undefined;
    if (this.#quantile === undefined || this.#isNew >= EVERY) {
      this.#quantile = this.#times.toSorted((one, other) => one - other)[Math.floor(QUANTILE * (length - 1))];
      this.#isNew = 0;
    }
    return this.#quantile;
  }
}
