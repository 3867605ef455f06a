/**
 * Adds up the time an attempt spends waiting for its upstream, so that the rest is known to be the gateway's own. Waits
 * side by side count once.
 */
export class Stopwatch {
  /** Without the wait that is going on. */
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
