/**
 * Failures in a row, of one caller or of all. Those of the caller with the most are left out, so that one caller alone
 * cannot open a circuit for the others.
 */
export class Streak {
  /** All of them. A field, not a call: each success reads it. */
  length = 0;
  #most = 0;
  readonly #ofCallers = new Map<string, number>();

  /**
   * Adds a failure. Returns the length without the failures of the caller with the most.
   * @param caller its name; absent: the failure counts whichever request it occurred to
   */
  add(caller?: string): number {
    this.length += 1;
    if (caller !== undefined) {
      const own = (this.#ofCallers.get(caller) ?? 0) + 1;
      this.#ofCallers.set(caller, own);
      this.#most = Math.max(this.#most, own);
    }
    return this.length - this.#most;
  }

  /** A call has succeeded. */
  end(): void {
    this.length = 0;
    this.#most = 0;
    this.#ofCallers.clear();
  }
}
