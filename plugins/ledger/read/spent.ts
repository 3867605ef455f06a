import { allowsModel, type SpendingQuery } from '../../../core/index.ts';
import { nextStart, spansOf, startOf } from '../periods.ts';
import type { LedgerDatabase } from '../thread/insert.ts';

const levels = ['organization', 'project', 'key'] as const;

/**
 * Nano-dollars. Whole hours are read from the sums, the rest of the hour in which the time lies from the rows: days of some time zones begin
 * at half past.
 */
export const readSpent = async (database: LedgerDatabase, { path, models, since }: SpendingQuery): Promise<bigint> => {
  const owner = Object.fromEntries(levels.flatMap((level, index) => (path[index] === undefined ? [] : [[level, path[index]]])));
  const hour = startOf('hour', since);
  const from = hour === since ? since : nextStart('hour', hour);
  const spans = spansOf(from, nextStart('month', startOf('month', Math.max(from, Date.now()))));

  const rows = database
    .selectFrom('ledger')
    .where('ended_at', '>=', since)
    .where('ended_at', '<', from)
    .where(({ and }) => and(owner))
    .select(['model', ({ fn }) => fn.sum<number | bigint | null>('cost').as('cost')])
    .groupBy('model');
  const sums = database
    .selectFrom('ledger_usage')
    .innerJoin('ledger_dimensions', 'ledger_dimensions.id', 'ledger_usage.dimension')
    .where(({ and, or, eb }) => or(spans.map(({ step, from: first, to }) => and([eb('step', '=', step), eb('start', '>=', first), eb('start', '<', to)]))))
    .where(({ and }) => and(owner))
    .select(['model', ({ fn }) => fn.sum<number | bigint | null>('cost').as('cost')])
    .groupBy('model');
  const found = [...(from > since ? await rows.execute() : []), ...(await sums.execute())];
  return found.filter(({ model }) => models.length === 0 || allowsModel(models, model)).reduce((sum, { cost }) => sum + BigInt(cost ?? 0), 0n);
};
