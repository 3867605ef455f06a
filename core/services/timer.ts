/**
 * A timer for deadlines: cheap to start and to stop, and late by up to `TICK_MS` where it is longer than that. All long
 * ones share one native timer that ticks only while there are any. (undici and Node's own HTTP server do the same.)
 * They do not keep the process alive.
 *
 * @example
 * const timer = new Timer(30_000, () => controller.abort());
 * timer.refresh(); // begins anew
 * timer.stop();
 */
export class Timer {
  #ms: number;
  readonly #callback: () => void;
  #at = 0;
  #native: NodeJS.Timeout | undefined;

  /** @param ms milliseconds */
  constructor(ms: number, callback: () => void) {
    this.#ms = ms;
    this.#callback = callback;
    this.refresh();
  }

  /** Begins anew. @param ms milliseconds from now on */
  refresh(ms = this.#ms): void {
    if (ms > TICK_MS) {
      clearTimeout(this.#native);
      this.#native = undefined;
      this.#at = performance.now() + ms;
      running.add(this);
      ticking ??= setInterval(tick, TICK_MS).unref();
    } else if (ms === this.#ms && this.#native !== undefined) this.#native.refresh();
    else this.#startNative(ms);
    this.#ms = ms;
  }

  stop(): void {
    running.delete(this);
    clearTimeout(this.#native);
    this.#native = undefined;
  }

  #startNative(ms: number): void {
    this.stop();
    this.#native = setTimeout(this.#callback, ms).unref();
  }

  /** Fires if its time has come. */
  check(now: number): void {
    if (now < this.#at) return;
    running.delete(this);
    this.#callback();
  }
}

const TICK_MS = 500;
const running = new Set<Timer>();
let ticking: NodeJS.Timeout | undefined;

const tick = (): void => {
  const now = performance.now();
  for (const timer of running) timer.check(now);
  if (running.size > 0) return;
  clearInterval(ticking);
  ticking = undefined;
};
