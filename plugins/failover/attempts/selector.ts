import type { Clock, GatewayError } from '../../../core/api/index.ts';
import type { Settings } from '../config/settings.ts';
import { reactions } from '../health/reactions.ts';
import { backoffMs, type Pause, type Random } from './backoff.ts';
import { remainingMs, type Progress } from './progress.ts';
import type { Next } from './queue.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { Candidate } from './router.ts';

export interface SelectorParts {
  readonly settings: Settings;
  readonly budget: RetryBudget;
  readonly clock: Clock;
  readonly random: Random;
  readonly pause: Pause;
}

/** Selects what an exchange tries next, and when. */
export class Selector {
  readonly #parts: SelectorParts;

  constructor(parts: SelectorParts) {
    this.#parts = parts;
  }

  /** The candidate to call now, or after a wait. undefined: none can be called in time. */
  next(progress: Progress): Next | undefined {
    const { settings, clock } = this.#parts;
    const { queue, preferred, exchange } = progress;
    while (progress.attempts < settings.attempts) {
      const now = clock.monotonic();
      const found =
        preferred === undefined ? queue.next(now) : { candidate: preferred, waitMs: 0, isLastResort: false };
      if (found === undefined) return undefined;
      const { candidate, waitMs, isLastResort } = found;
      progress.isRefused =
        waitMs > 0 && (waitMs > progress.patienceMs || waitMs >= remainingMs(progress, settings.deadlineMs, now));
      if (progress.isRefused) return undefined;
      if (this.#isAffordable(progress, candidate)) {
        if (isLastResort) candidate.health.takeLastResort(exchange.caller, now, now + waitMs);
        return found;
      }
      queue.drop(candidate, 'credential');
    }
    return undefined;
  }

  /** Waits until a candidate that {@link next} returned can be called. */
  async wait(progress: Progress, { candidate, waitMs, isLastResort }: Next): Promise<void> {
    progress.budgeted = candidate;
    progress.patienceMs -= waitMs;
    await this.#pause(progress, waitMs);
    if (isLastResort) progress.preferred = candidate;
  }

  /** Pauses before a retry of the same candidate. Returns false if a retry is not worthwhile, affordable or in time. */
  async retry(progress: Progress, candidate: Candidate, error: GatewayError): Promise<boolean> {
    const { clock } = this.#parts;
    const milliseconds = this.#retryPauseMs(progress, candidate, error);
    if (milliseconds === undefined) return false;
    const then = clock.monotonic() + milliseconds;
    await this.#pause(progress, milliseconds);
    // Other requests may have found it failing meanwhile. A timer can fire up to a millisecond early.
    const now = Math.max(then, clock.monotonic());
    if (candidate.health.readyAt(progress.exchange.caller, now) > now) return false;
    progress.preferred = candidate;
    return true;
  }

  async #pause(progress: Progress, milliseconds: number): Promise<void> {
    await this.#parts.pause(milliseconds, progress.exchange.signal);
    progress.waitedMs += milliseconds;
  }

  /** A return to a candidate that has failed takes a retry from the budget. */
  #isAffordable({ failures, preferred, budgeted }: Progress, candidate: Candidate): boolean {
    return (
      failures?.has(candidate) !== true ||
      candidate === preferred ||
      candidate === budgeted ||
      this.#parts.budget.take()
    );
  }

  #retryPauseMs(
    progress: Progress,
    candidate: Candidate,
    { failure, retryAfterMs = 0 }: GatewayError,
  ): number | undefined {
    const { settings, budget, clock, random } = this.#parts;
    const { attempts, retries, backoff, deadlineMs } = settings;
    const earlier = (progress.failures?.get(candidate) ?? 1) - 1;
    if (reactions[failure].again !== 'first' || earlier >= retries || progress.attempts >= attempts) return undefined;
    const milliseconds = Math.max(retryAfterMs, backoffMs(backoff, earlier, random));
    const now = clock.monotonic();
    if (milliseconds > backoff.capMs || milliseconds >= remainingMs(progress, deadlineMs, now)) return undefined;
    const then = now + milliseconds;
    const isReady = candidate.health.readyAt(progress.exchange.caller, then) <= then;
    return isReady && budget.take() ? milliseconds : undefined;
  }
}
