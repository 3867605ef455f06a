/** A time during which a credential is not used, or not used first. Monotonic milliseconds. */
export class Cooldown {
  #until = 0;
  #reason = '';

  get until(): number {
    return this.#until;
  }

  get reason(): string {
    return this.#reason;
  }

  /** Never shortens it: the later end counts. Returns whether it has become longer. */
  extend(until: number, reason: string): boolean {
    if (until <= this.#until) return false;
    this.#until = until;
    this.#reason = reason;
    return true;
  }
}
