import type { Exchange } from '../../core/index.ts';
import { amountKept } from './amounts.ts';
import type { Calendar } from './calendar.ts';
import type { Rule } from './rules.ts';
import type { Charge } from './store/store.ts';

/**
 * What a store is asked to take: of each rule so much. Calendar buckets are told their windows.
 * @param amounts in the order of the rules
 * @param now unix milliseconds
 * @param exchange absent: nothing is taken, and nothing kept
 */
export const createCharges = (rules: readonly Rule[], amounts: readonly number[], calendar: Calendar, now: number, exchange?: Exchange): readonly Charge[] =>
  rules.map(({ bucket, limit: { unit, per } }, index) => {
    const amount = amounts[index] ?? 0;
    const kept = exchange === undefined ? 0 : Math.min(amount, amountKept(unit, exchange));
    return { bucket, amount, ...(kept === 0 ? {} : { kept }), ...(typeof per === 'string' ? { bounds: calendar.bounds(per, now) } : {}) };
  });
