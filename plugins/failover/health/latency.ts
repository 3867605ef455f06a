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

/** Words: the average, its time, how many times were added, whether the last attempt was ended, the latest times. */
const [MEAN, AT, ADDED, ENDED, TIMES] = [0, 1, 2, 3, 4];
const BYTES = (TIMES + LATEST) * Float64Array.BYTES_PER_ELEMENT;

/** Memory in which all threads of a host learn about one target. */
export const createLatencyMemory = (): SharedArrayBuffer => new SharedArrayBuffer(BYTES);

/**
 * How long a target takes until its response begins: a moving average that decays, so that a slow target is tried
 * again. Milliseconds; 0 if nothing is known. Threads that share it write without a lock: of two responses at the same
 * moment one can be lost, which changes nothing that is derived from them.
 */
export class Latency {
  #words: Float64Array;
  /** What is added to the monotonic clock of this thread: those of threads begin at different times. */
  #offset = 0;
  #quantile: number | undefined;
  /** How many times had been added when the quantile was computed. */
  #computedAt = 0;

  /** @param memory of all threads. Absent: of this thread, until it is shared */
  constructor(memory?: SharedArrayBuffer) {
    this.#words = new Float64Array(memory ?? new ArrayBuffer(BYTES));
  }

  /**
   * From now on it is learnt together with other threads. If they know nothing yet, they get what is known here.
   * @param offset of the monotonic clock of this thread to one that all threads have
   */
  share(memory: SharedArrayBuffer, offset: number): void {
    const words = new Float64Array(memory);
    if (words[ADDED] === 0) {
      words.set(this.#words);
      words[AT] = (words[AT] ?? 0) + offset;
    }
    this.#words = words;
    this.#offset = offset;
    this.#quantile = undefined;
  }

  add(now: number, milliseconds: number): void {
    const words = this.#words;
    const mean = words[MEAN] ?? 0;
    words[MEAN] = mean === 0 ? milliseconds : mean + WEIGHT * (milliseconds - mean);
    words[AT] = now + this.#offset;
    words[ENDED] = 0;
    this.#keep(milliseconds);
  }

  /** The average without decay. */
  get usual(): number {
    return this.#words[MEAN] ?? 0;
  }

  read(now: number): number {
    const age = Math.max(0, now + this.#offset - (this.#words[AT] ?? 0));
    return this.usual * 0.5 ** (age / HALF_LIFE_MS);
  }

  /**
   * An attempt was ended before its response began. If others work, it was only slow: its time counts, so that slow
   * requests make the quantile longer. Of several in a row only the first counts: then the target is silent. The
   * average stays as it is.
   */
  addEnded(milliseconds: number): void {
    if (this.#words[ENDED] === 0) this.#keep(milliseconds);
    this.#words[ENDED] = 1;
  }

  /** The 99th percentile; undefined: too few responses are known. */
  get quantile(): number | undefined {
    const added = this.#words[ADDED] ?? 0;
    if (added < ENOUGH) return undefined;
    if (this.#quantile === undefined || added - this.#computedAt >= EVERY) {
      const length = Math.min(added, LATEST);
      const times = this.#words.slice(TIMES, TIMES + length).sort();
      this.#quantile = times[Math.floor(QUANTILE * (length - 1))];
      this.#computedAt = added;
    }
    return this.#quantile;
  }

  #keep(milliseconds: number): void {
    const words = this.#words;
    const added = words[ADDED] ?? 0;
    words[TIMES + (added % LATEST)] = Math.ceil(milliseconds);
    words[ADDED] = added + 1;
  }
}
