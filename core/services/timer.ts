/**
 * A timer for deadlines that is cheap to start and stop. Delays above `TICK_MS` fire up to `TICK_MS` late, because they
 * share one native timer, which runs only while there are any. (undici and Node's HTTP server do the same.) Timers do
 * not keep the process alive. After the event loop was blocked, what has arrived meanwhile is read before a timer
 * fires: it can be what the timer waits for (core/decisions/2026-12-01-deadlines-after-what-arrived.md).
 * @example
 * const timer = new Timer(30_000, () => controller.abort());
 * timer.refresh(); // restarts it
 * timer.stop();
 */
export class Timer {
  #ms: number;
  readonly #callback: () => void;
  #at = 0;
  #native: NodeJS.Timeout | undefined;
  /** It is due, and fires at the end of this turn of the event loop. */
  #due: NodeJS.Immediate | undefined;

  /** @param ms milliseconds */
  constructor(ms: number, callback: () => void) {
    this.#ms = ms;
    this.#callback = callback;
    this.refresh();
  }

  /** Restarts it. @param ms milliseconds from now */
  refresh(ms = this.#ms): void {
    if (this.#due !== undefined) this.#forget();
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
    if (this.#due !== undefined) this.#forget();
    running.delete(this);
    clearTimeout(this.#native);
    this.#native = undefined;
  }

  #startNative(ms: number): void {
    this.stop();
    this.#native = setTimeout(Timer.#expire, ms, this).unref();
  }

  #forget(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
  }

  /** Fires if it is due. */
  check(now: number): void {
    if (now < this.#at) return;
    running.delete(this);
    Timer.#expire(this);
  }

  static #expire(timer: Timer): void {
    timer.#due = setImmediate(Timer.#fire, timer);
  }

  static #fire(timer: Timer): void {
    timer.#due = undefined;
    timer.#callback();
  }
}

const TICK_MS = 500;
const running = new Set<Timer>();
let ticking: NodeJS.Timeout | undefined;

/** Fires the timers that are due. Also called by tests whose time is simulated. */
export const tick = (): void => {
  const now = performance.now();
  for (const timer of running) timer.check(now);
  if (running.size > 0) return;
  clearInterval(ticking);
  ticking = undefined;
};
