import type { Attempt, Clock, Headers, Send } from '../../core/index.ts';
import type { Meters } from './meters.ts';
import type { Roster } from './health/roster.ts';

interface WatchParts {
  readonly roster: Roster;
  readonly meters: Meters;
  readonly clock: Clock;
}

/** Reads from the headers of every answer, good or bad, what is left of the vendor's limits. Where a provider does not tell, the attempt passes as it is. */
export const createLimitWatch =
  ({ roster, meters, clock }: WatchParts) =>
  (next: Send): Send =>
  (attempt) => {
    const { target, credential, operation, wire, answered } = attempt;
    const speech = target.endpoint.speaks.find((spoken) => spoken.operation === operation && spoken.wire === wire);
    if (speech?.readLimits === undefined) return next(attempt);
    const note = (status: number, headers: Headers): void => {
      answered?.(status, headers);
      const limits = speech.readLimits?.(headers) ?? [];
      if (limits.length === 0) return;
      const { allowance, model: { subject } } = roster.health(target, credential);
      allowance.note(clock.monotonic(), limits);
      meters.remaining(subject, limits);
    };
    const watched: Attempt = { ...attempt, answered: note };
    return next(watched);
  };
