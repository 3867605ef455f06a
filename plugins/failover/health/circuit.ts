import type { Random } from '../attempts/backoff.ts';
import type { CircuitRules } from '../config/settings.ts';
import { isRefusal } from './reactions.ts';
import { CallWindow, type Count } from './window.ts';

export type CircuitState = 'closed' | 'open' | 'half-open';

/** From the best to the worst, also as a metric. */
export const severity: Readonly<Record<CircuitState, number>> = { 'closed': 0, 'half-open': 1, 'open': 2 };

/** Good probes that close a circuit. Each doubles how many can be in flight, so that load returns in steps. */
const GOOD_PROBES = 3;
/** The reason of a circuit that is half-open because of a hint. */
export const HINTED = 'hint';
/** The pause between two probes of a refused credential, as a share of the time for which it has been refused. */
const REFUSED = 1 / 8;
/** Spreads the probes of several processes. */
const JITTER = 0.2;

/**
 * Failures in a row, of one caller or of all. Those of the caller with the most are left out, so that one caller alone
 * cannot open a circuit for the others.
 */
class Streak {
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

export interface CircuitParts {
  /** Read on every use: a reload can change them. */
  readonly rules: () => CircuitRules;
  readonly random: Random;
  /** Called when the state has changed. */
  readonly onChange: (now: number) => void;
  /** Calls to leave out when the circuit decides whether to open. */
  readonly leaveOut?: (now: number) => Count;
}

/**
 * A circuit breaker. Closed until too many recent calls have failed, or too many in a row; then open, with a probe
 * about every `circuit.open`. A good probe makes it half-open, and lets more probes be in flight. Enough good ones
 * close it; a bad one opens it again. Times are monotonic milliseconds.
 */
export class Circuit {
  readonly #parts: CircuitParts;
  readonly #recent: CallWindow;
  readonly #streak = new Streak();
  #state: CircuitState = 'closed';
  #reason = '';
  #openUntil = 0;
  /** When it was closed last. */
  #troubledAt = 0;
  #probing = 0;
  #good = 0;

  constructor(parts: CircuitParts) {
    this.#parts = parts;
    this.#recent = new CallWindow(() => parts.rules().windowMs);
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** The failure class that opened it, or `tls`. */
  get reason(): string {
    return this.#reason;
  }

  /** Until when no call passes: `now` or earlier if one can, undefined if that depends on probes in flight. */
  until(now: number): number | undefined {
    if (this.#state === 'closed') return now;
    if (now < this.#openUntil) return this.#openUntil;
    return this.#probing < this.#parts.rules().probes * 2 ** this.#good ? now : undefined;
  }

  /** A call begins. Returns whether it is a probe, which must be ended with `leave`. */
  enter(): boolean {
    if (this.#state === 'closed') return false;
    this.#probing += 1;
    return true;
  }

  /** A probe has ended, whatever its result. */
  leave(): void {
    this.#probing -= 1;
  }

  /** @param probeAt when the probe began; absent: the call was not a probe */
  succeed(now: number, probeAt?: number): void {
    if (this.#state === 'closed') {
      this.#recent.add(now, false);
      if (this.#streak.length > 0) this.#streak.end();
    } else if (probeAt !== undefined) {
      this.#good += 1;
      this.#openUntil = 0;
      this.#become(now, this.#good < GOOD_PROBES ? 'half-open' : 'closed');
    }
  }

  /**
   * @param probeAt when the probe began; undefined: the call was not a probe
   * @param caller the only caller for which the failure counts yet; absent: it counts for all of the circuit
   */
  fail(now: number, reason: string, probeAt?: number, caller?: string): void {
    if (this.#state === 'closed') {
      this.#recent.add(now, true);
      const inARow = this.#streak.add(caller);
      const { consecutive } = this.#parts.rules();
      if (consecutive > 0 && inARow >= consecutive) this.#open(now, reason);
      else this.#openIfTooMany(now, reason);
    } else if (probeAt !== undefined) this.#open(now, reason, probeAt);
  }

  /** A response broke after it had been counted as good. */
  failLate(now: number, reason: string): void {
    if (this.#state === 'half-open') this.#open(now, reason);
    if (this.#state !== 'closed') return;
    this.#recent.addLateFailure(now);
    this.#openIfTooMany(now, reason);
  }

  /** Opens at once, regardless of recent calls. */
  trip(now: number, reason: string, probeAt?: number): void {
    if (this.#state === 'closed' || probeAt !== undefined) this.#open(now, reason, probeAt);
  }

  /** Another process has found the target failing: from now on calls are probes, until three have succeeded. */
  suspect(now: number): void {
    if (this.#state !== 'closed') return;
    this.#reason = HINTED;
    this.#good = 0;
    this.#openUntil = 0;
    this.#become(now, 'half-open');
  }

  /** There is a reason to expect that the target responds again: a probe can be made now. */
  recheck(now: number): void {
    if (this.#state !== 'open' || this.#openUntil <= now) return;
    this.#openUntil = now;
  }

  #openIfTooMany(now: number, reason: string): void {
    const { calls, failures } = this.#recent.count(now);
    const { rules, leaveOut } = this.#parts;
    const limits = rules();
    if (calls < limits.calls || failures < limits.failures * calls) return;
    const left = leaveOut?.(now) ?? { calls: 0, failures: 0 };
    const others = failures - left.failures;
    if (others > 0 && others >= limits.failures * (calls - left.calls)) this.#open(now, reason);
  }

  #open(now: number, reason: string, probeAt = now): void {
    if (this.#state === 'closed') this.#troubledAt = now;
    this.#reason = reason;
    this.#openUntil = now + this.#pauseMs(now, now - probeAt);
    this.#good = 0;
    this.#recent.clear();
    this.#streak.end();
    this.#become(now, 'open');
  }

  /**
   * A pause does not help against a refused credential: it is probed less and less often. It is used again after at
   * most this share of the time for which it was refused. The pause is at least as long as the probe took.
   */
  #pauseMs(now: number, probeMs: number): number {
    const { rules, random } = this.#parts;
    const { openMs, longestMs } = rules();
    const shortest = isRefusal(this.#reason) ? Math.max(openMs, (now - this.#troubledAt) * REFUSED) : openMs;
    return Math.round(Math.min(longestMs, Math.max(shortest * (1 + JITTER * (2 * random() - 1)), probeMs)));
  }

  #become(now: number, to: CircuitState): void {
    if (this.#state === to) return;
    this.#state = to;
    this.#parts.onChange(now);
  }
}
