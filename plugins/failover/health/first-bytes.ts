/** How many of the latest responses are kept. */
const LATEST = 100;
/** With fewer responses than this nothing is derived from them. */
export const ENOUGH = 50;
/** With it, one response of a hundred can be slower. */
const QUANTILE = 0.99;
/** The quantile is computed again after this many responses. */
const EVERY = 10;

/** How long the latest responses of a target took to begin. Milliseconds. */
export class FirstBytes {
  readonly #times: number[] = [];
  #next = 0;
  #isNew = 0;
  #quantile: number | undefined;
  #wasEnded = false;

  add(milliseconds: number): void {
    this.#wasEnded = false;
    this.#times[this.#next] = Math.ceil(milliseconds);
    this.#next = (this.#next + 1) % LATEST;
    this.#isNew += 1;
  }

  /**
   * An attempt was ended before its response began. If others work, it was only slow: its time counts, so that slow
   * requests make the quantile longer. Of several in a row only the first counts: then the target is silent.
   */
  addEnded(milliseconds: number): void {
    if (!this.#wasEnded) this.add(milliseconds);
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
