import type { Clock, PluginInstance } from '../../../core/api/index.ts';
import type { Meters } from '../meters.ts';
import type { HealthRegistry } from './health-registry.ts';

interface WatchParts {
  readonly registry: HealthRegistry;
  readonly meters: Meters;
  readonly clock: Clock;
}

/** Reads what is left of the vendor's limits from the headers of every upstream response, good or bad. */
export const createLimitWatch =
  ({ registry, meters, clock }: WatchParts): NonNullable<PluginInstance['onResponseHeaders']> =>
  ({ target, credential, operation, wire }, _status, headers) => {
    const endpointWire = target.endpoint.wires.find((own) => own.operation === operation && own.wire === wire);
    const limits = endpointWire?.readLimits?.(headers) ?? [];
    if (limits.length === 0) return;
    const health = registry.health(target, credential);
    health.allowance.note(clock.monotonic(), limits);
    meters.remaining(health.model.healthKey, limits);
  };
