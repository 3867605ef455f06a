import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Limit, LimitUnit } from '../../contracts/caller.ts';
import type { DraftLimit, DraftOrganization, DraftProject } from '../schema/draft.ts';
import { parseDuration } from '../units/duration.ts';
import { isCalendarWindow, limitUnits, toNanoDollars } from '../units/limit-units.ts';

/** The unit of a limit. A valid draft has exactly one. */
const unitOf = (limit: DraftLimit): LimitUnit => limitUnits.find((unit) => limit[unit] !== undefined) ?? 'requests';

/** Resolves a limit such as `{ requests: 60, per: 1m }`. */
export function resolveLimit(limit: DraftLimit): Limit {
  const unit = unitOf(limit);
  const { per, burst, soft, models, each, enforce, onStoreFailure } = limit;
  const amount = limit[unit] ?? 1;
  return omitUndefined({
    unit,
    amount: unit === 'cost' ? toNanoDollars(amount) : amount,
    per: per === undefined ? undefined : isCalendarWindow(per) ? per : parseDuration(per),
    burst,
    soft: soft === undefined ? undefined : soft.toSorted((one, other) => one - other),
    models,
    each,
    enforce,
    onStoreFailure,
  });
}

export const resolveKeyLimits = ({
  keyLimits,
}: Pick<DraftOrganization | DraftProject, 'keyLimits'>): { readonly keyLimits?: readonly Limit[] } =>
  keyLimits === undefined ? {} : { keyLimits: keyLimits.map(resolveLimit) };
