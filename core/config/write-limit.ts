import type { JsonObject } from '../canonical/wire.ts';
import type { Limit } from '../contracts/limit.ts';

const lengths: readonly (readonly [milliseconds: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
  [1, 'ms'],
];

const writeDuration = (ms: number): string => {
  const [length, unit] = lengths.find(([milliseconds]) => ms % milliseconds === 0) ?? [1, 'ms'];
  return `${ms / length}${unit}`;
};

/** A limit as operators write it: `{ requests: 60, per: '1m' }`. What says no more than a default does is left out. */
export const writeLimit = ({ unit, amount, per, burst, models, enforce, onStoreFailure }: Limit): JsonObject => ({
  [unit]: unit === 'cost' ? amount / 1e9 : amount,
  ...(per === undefined ? {} : { per: typeof per === 'number' ? writeDuration(per) : per }),
  ...(burst === undefined ? {} : { burst }),
  ...(models.length === 0 ? {} : { models }),
  ...(enforce ? {} : { enforce }),
  ...(onStoreFailure === undefined ? {} : { onStoreFailure }),
});
