import type { Random } from '../attempts/backoff.ts';
import { isRefusal } from './reactions.ts';
import type { CircuitRules } from '../config/settings.ts';
import { createSlidingWindow, type Count, type SlidingWindow } from './window.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

/** Good probes that close a circuit. Each doubles how many may be in flight: what has just recovered gets its load in steps. */
const GOOD_PROBES = 3;
/** How far the open time may be off, so that processes do not probe in step. */
const JITTER = 0.2;

interface CircuitParts {
  /** Read at every use: they may change with a reload. */
  readonly rules: () => CircuitRules;
  readonly random: Random;
  /** Called when the state has changed. */
  readonly changed: (now: number) => void;
  /** Calls that do not count when it is decided whether the circuit opens. */
  readonly leaveOut?: (now: number) => Count;
}

/**
 * Closed until too many recent calls failed; then open, with a probe about every `circuit.open`. A good probe makes it half-open, in which
 * more and more probes may be in flight; enough good ones close it, and a bad one opens it again. Times are monotonic milliseconds.
 */
export class Circuit {
  readonly #parts: CircuitParts;
  readonly #recent: SlidingWindow;
  #state: CircuitState = 'closed';
  #reason = '';
  #openUntil = 0;
  #openings = 0;
  #probing = 0;
  #good = 0;

  constructor(parts: CircuitParts) {
    this.#parts = parts;
    this.#recent = createSlidingWindow(() => parts.rules().windowMs);
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** What opened it: a failure class, or `tls`. */
  get reason(): string {
    return this.#reason;
  }

  /** Until when nothing may pass: `now` or earlier where something may, undefined where that hangs on probes in flight. */
  until(now: number): number | undefined {
    if (this.#state === 'closed') return now;
    if (now < this.#openUntil) return this.#openUntil;
    return this.#probing < this.#parts.rules().probes * 2 ** this.#good ? now : undefined;
  }

  /** A call begins. True: it is a probe, which has to be ended by `leave`. */
  enter(): boolean {
    if (this.#state === 'closed') return false;
    this.#probing += 1;
    return true;
  }

  /** A probe has ended, whatever its result. */
  leave(): void {
    this.#probing -= 1;
  }

  /** @param probeAt when the probe began; absent: the call was none */
  succeed(now: number, probeAt?: number): void {
    if (this.#state === 'closed') this.#recent.add(now, false);
    else if (probeAt !== undefined) {
      this.#good += 1;
      this.#openUntil = 0;
      if (this.#good >= GOOD_PROBES) this.#openings = 0;
      this.#become(now, this.#good < GOOD_PROBES ? 'half-open' : 'closed');
    }
  }

  /** @param probeAt as above */
  fail(now: number, reason: string, probeAt?: number): void {
    if (this.#state === 'closed') {
      this.#recent.add(now, true);
      this.#openWhereTooMuch(now, reason);
    } else if (probeAt !== undefined) this.#open(now, reason, probeAt);
  }

  /** An answer broke after it had been counted as good. */
  spoil(now: number, reason: string): void {
    if (this.#state === 'half-open') this.#open(now, reason);
    if (this.#state !== 'closed') return;
    this.#recent.spoil(now);
    this.#openWhereTooMuch(now, reason);
  }

  /** Opens at once, whatever the window says. */
  trip(now: number, reason: string, probeAt?: number): void {
    if (this.#state === 'closed' || probeAt !== undefined) this.#open(now, reason, probeAt);
  }

  #openWhereTooMuch(now: number, reason: string): void {
    const { calls, failures } = this.#recent.count(now);
    const { rules, leaveOut } = this.#parts;
    const limits = rules();
    if (calls < limits.calls || failures < limits.failures * calls) return;
    const left = leaveOut?.(now) ?? { calls: 0, failures: 0 };
    const others = failures - left.failures;
    if (others > 0 && others >= limits.failures * (calls - left.calls)) this.#open(now, reason);
  }

  #open(now: number, reason: string, probeAt = now): void {
    this.#reason = reason;
    this.#openUntil = now + this.#pauseMs(now - probeAt);
    this.#openings += 1;
    this.#good = 0;
    this.#recent.clear();
    this.#become(now, 'open');
  }

  /** No pause cures a refused credential: the time doubles. After a slow probe it is as long as the probe was. */
  #pauseMs(probeMs: number): number {
    const { rules, random } = this.#parts;
    const { openMs, longestMs } = rules();
    const doubled = isRefusal(this.#reason) ? openMs * 2 ** this.#openings : openMs;
    return Math.round(Math.min(longestMs, Math.max(doubled * (1 + JITTER * (2 * random() - 1)), probeMs)));
  }

  #become(now: number, to: CircuitState): void {
    if (this.#state === to) return;
    this.#state = to;
    this.#parts.changed(now);
  }
}
