import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Limit } from '../../contracts/caller.ts';
import { formatDuration } from '../units/duration.ts';

/** Converts a limit to the form of the file, such as `{ requests: 60, per: '1m' }`. Defaults are left out. */
export const writeLimit = ({
  unit,
  amount,
  per,
  burst,
  soft,
  models,
  each,
  enforce,
  onStoreFailure,
}: Limit): JsonObject =>
  omitUndefined({
    [unit]: unit === 'cost' ? amount / 1e9 : amount,
    per: typeof per === 'number' ? formatDuration(per) : per,
    burst,
    soft,
    models: models.length === 0 ? undefined : models,
    each,
    enforce: enforce ? undefined : false,
    onStoreFailure,
  });
