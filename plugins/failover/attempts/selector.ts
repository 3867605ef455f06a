import type { Clock, GatewayError } from '../../../core/index.ts';
import { reactions } from '../health/reactions.ts';
import type { Settings } from '../config/settings.ts';
import type { Candidate } from './router.ts';
import { backoffMs, type Pause, type Random } from './backoff.ts';
import type { Budget } from './retry-budget.ts';
import { leftMs, type Journey } from './progress.ts';
import type { Next } from './queue.ts';

export interface PickParts {
  readonly settings: Settings;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly random: Random;
  readonly pause: Pause;
}

/** Decides what an exchange tries next, and when. */
export interface Pick {
  /** What to call now or after a wait; undefined: there is nothing that may be called in time. */
  next(journey: Journey): Next | undefined;
  wait(journey: Journey, next: Next): Promise<void>;
  /** The same candidate again after a pause, where that is worth it, affordable and over in time. */
  repeat(journey: Journey, candidate: Candidate, error: GatewayError): Promise<boolean>;
}

export function createPick({ settings, budget, clock, random, pause }: PickParts): Pick {
  const { deadlineMs, backoff } = settings;
  const rest = async (journey: Journey, milliseconds: number): Promise<void> => {
    await pause(milliseconds, journey.exchange.signal);
    journey.waitedMs += milliseconds;
  };
  /** Coming back to a candidate costs a retry of the budget. */
  const isAffordable = ({ tries, granted, paid }: Journey, candidate: Candidate): boolean =>
    tries?.has(candidate) !== true || candidate === granted || candidate === paid || budget.take();

  const next: Pick['next'] = (journey) => {
    const { queue, granted, exchange } = journey;
    while (journey.made < settings.attempts) {
      const now = clock.monotonic();
      const found = granted === undefined ? queue.next(now) : { candidate: granted, waitMs: 0, isLastResort: false };
      if (found === undefined) return undefined;
      const { candidate, waitMs, isLastResort } = found;
      journey.isRefused = waitMs > 0 && (waitMs > journey.patienceMs || waitMs >= leftMs(journey, deadlineMs, now));
      if (journey.isRefused) return undefined;
      if (isAffordable(journey, candidate)) {
        if (isLastResort) candidate.health.takeLastResort(exchange.caller, now, now + waitMs);
        return found;
      }
      queue.drop(candidate, 'credential', false);
    }
    return undefined;
  };

  const pauseOf = (
    journey: Journey,
    { health }: Candidate,
    { failure, retryAfterMs = 0 }: GatewayError,
    earlier: number,
  ): number | undefined => {
    if (reactions[failure].again !== 'first' || earlier >= settings.retries || journey.made >= settings.attempts)
      return undefined;
    const milliseconds = Math.max(retryAfterMs, backoffMs(backoff, earlier, random));
    const now = clock.monotonic();
    if (milliseconds > backoff.capMs || milliseconds >= leftMs(journey, deadlineMs, now)) return undefined;
    const then = now + milliseconds;
    return health.readyAt(journey.exchange.caller, then) <= then && budget.take() ? milliseconds : undefined;
  };

  return {
    next,
    wait: async (journey, { candidate, waitMs, isLastResort }) => {
      journey.paid = candidate;
      journey.patienceMs -= waitMs;
      await rest(journey, waitMs);
      if (isLastResort) journey.granted = candidate;
    },
    repeat: async (journey, candidate, error) => {
      const milliseconds = pauseOf(journey, candidate, error, (journey.tries?.get(candidate) ?? 1) - 1);
      if (milliseconds === undefined) return false;
      const then = clock.monotonic() + milliseconds;
      await rest(journey, milliseconds);
      // Meanwhile others may have found it worse. A timer may fire up to a millisecond early.
      const now = Math.max(then, clock.monotonic());
      if (candidate.health.readyAt(journey.exchange.caller, now) > now) return false;
      journey.granted = candidate;
      return true;
    },
  };
}
