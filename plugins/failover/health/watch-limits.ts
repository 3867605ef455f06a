import type { Clock, PluginInstance } from '../../../core/index.ts';
import type { Meters } from '../meters.ts';
import type { Roster } from './health-registry.ts';

interface WatchParts {
  readonly roster: Roster;
  readonly meters: Meters;
  readonly clock: Clock;
}

/** Reads from the headers of every upstream response, good or bad, what is left of the vendor's limits. */
export const createLimitWatch =
  ({ roster, meters, clock }: WatchParts): NonNullable<PluginInstance['onResponseHeaders']> =>
  ({ target, credential, operation, wire }, _status, headers) => {
    const speech = target.endpoint.speaks.find((spoken) => spoken.operation === operation && spoken.wire === wire);
    const limits = speech?.readLimits?.(headers) ?? [];
    if (limits.length === 0) return;
    const {
      allowance,
      model: { subject },
    } = roster.health(target, credential);
    allowance.note(clock.monotonic(), limits);
    meters.remaining(subject, limits);
  };
