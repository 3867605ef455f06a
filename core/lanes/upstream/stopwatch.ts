/**
 * Adds up the time that an attempt waits for its upstream; the rest is the gateway's own overhead. Waits that overlap
 * count once.
 */
export class Stopwatch {
  /** Milliseconds of all completed waits. */
  elapsedMs = 0;
  #since = 0;
  #running = 0;

  start(): void {
    if (this.#running === 0) this.#since = performance.now();
    this.#running += 1;
  }

  stop(): void {
    this.#running -= 1;
    if (this.#running === 0) this.elapsedMs += performance.now() - this.#since;
  }
}
