import type { CalendarWindow, Limit, LimitUnit } from '../contracts/limit.ts';
import type { DraftLimit, DraftOrganization, DraftProject } from './draft.ts';
import { parseDuration } from './duration.ts';

const units: readonly LimitUnit[] = ['requests', 'tokens', 'inputTokens', 'outputTokens', 'cost', 'concurrent'];
const calendar: readonly string[] = ['hour', 'day', 'week', 'month'] satisfies readonly CalendarWindow[];
const isCalendar = (per: string): per is CalendarWindow => calendar.includes(per);

/** USD are written with at most nine decimals: more would be less than a nano-dollar. */
const NANO = 1e9;

/** The unit of a limit; the draft has been checked to have exactly one. */
export const unitOf = (limit: DraftLimit): LimitUnit => units.find((unit) => limit[unit] !== undefined) ?? 'requests';

/** `{ requests: 60, per: 1m }` as what it means. */
export const resolveLimit = (limit: DraftLimit): Limit => {
  const unit = unitOf(limit);
  const { per, burst, models, enforce, onStoreFailure } = limit;
  const amount = limit[unit] ?? 1;
  return {
    unit,
    amount: unit === 'cost' ? Math.round(amount * NANO) : amount,
    ...(per === undefined ? {} : { per: isCalendar(per) ? per : parseDuration(per) }),
    ...(burst === undefined ? {} : { burst }),
    models,
    enforce,
    ...(onStoreFailure === undefined ? {} : { onStoreFailure }),
  };
};

export const resolveKeyLimits = ({ keyLimits }: Pick<DraftOrganization | DraftProject, 'keyLimits'>): { readonly keyLimits?: readonly Limit[] } =>
  keyLimits === undefined ? {} : { keyLimits: keyLimits.map(resolveLimit) };
