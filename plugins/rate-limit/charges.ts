import type { Calendar } from './calendar.ts';
import type { Rule } from './rules.ts';
import type { Charge } from './store/store.ts';

/**
 * What a store is asked to take: of each rule so much. Calendar buckets are told their windows; a request stays counted when the process that serves it crashes.
 * @param amounts in the order of the rules
 * @param now unix milliseconds
 */
export const createCharges = (rules: readonly Rule[], amounts: readonly number[], calendar: Calendar, now: number): readonly Charge[] =>
  rules.map(({ bucket, limit: { unit, per } }, index) => {
    const amount = amounts[index] ?? 0;
    if (typeof per === 'string') return { bucket, amount, bounds: calendar.bounds(per, now) };
    return unit === 'requests' ? { bucket, amount, keep: true } : { bucket, amount };
  });
