import type { Exchange } from '../../../core/api/index.ts';
import { costKept } from './amounts.ts';
import type { Calendar } from '../rules/calendar.ts';
import type { Rule } from '../rules/rule.ts';
import type { KnownSpending } from '../store/guard.ts';
import type { Charge } from '../store/store.ts';

/** Charges that take nothing, to read the state of the rules. @param now unix milliseconds */
export const createPeekCharges = (rules: readonly Rule[], calendar: Calendar, now: number): readonly Charge[] =>
  rules.map(({ bucket, limit: { per } }) => ({
    bucket,
    amount: 0,
    ...(typeof per === 'string' ? { bounds: calendar.bounds(per, now) } : {}),
  }));

/**
 * The charges of an exchange, one per rule.
 * @param amounts in the order of the rules
 * @param now unix milliseconds
 */
export function createCharges(
  rules: readonly Rule[],
  amounts: readonly number[],
  calendar: Calendar,
  now: number,
  exchange: Pick<Exchange, 'estimate' | 'targets'>,
): readonly Charge[] {
  const charges: Charge[] = [];
  let kept: number | undefined;
  for (let at = 0; at < rules.length; at += 1) {
    const rule = rules[at];
    if (rule === undefined) continue;
    const {
      bucket,
      charge,
      limit: { per },
    } = rule;
    const amount = amounts[at] ?? 0;
    if (charge !== undefined) charges.push(charge);
    else if (typeof per !== 'string') charges.push({ bucket, amount });
    else
      charges.push({
        bucket,
        amount,
        bounds: calendar.bounds(per, now),
        kept: Math.min(amount, (kept ??= costKept(exchange))),
      });
  }
  return charges;
}

/** Adds to the charges of budgets what is known of them, for a host that counts alone. */
export const addKnown = (charges: readonly Charge[], tenant: string, known: KnownSpending): readonly Charge[] =>
  charges.map((charge) =>
    charge.bucket.account === undefined ? charge : { ...charge, known: known.of(tenant, charge.bucket.key) },
  );
