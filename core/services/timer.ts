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
  readonly #ms: number;
  readonly #callback: () => void;
  #at = 0;
  #native: NodeJS.Timeout | undefined;

  /** @param ms milliseconds */
  constructor(ms: number, callback: () => void) {
    this.#ms = ms;
    this.#callback = callback;
    this.refresh();
  }

  refresh(): void {
    if (this.#ms > TICK_MS) {
      this.#at = performance.now() + this.#ms;
      running.add(this);
      ticking ??= setInterval(tick, TICK_MS).unref();
    } else if (this.#native === undefined) this.#native = setTimeout(this.#callback, this.#ms).unref();
    else this.#native.refresh();
  }

  stop(): void {
    running.delete(this);
    clearTimeout(this.#native);
    this.#native = undefined;
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
