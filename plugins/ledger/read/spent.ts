import { allowsModel, type SpendingQuery } from '../../../core/api/index.ts';
import { nextStart, spansOf, startOf } from '../periods.ts';
import type { LedgerDatabase } from '../thread/insert.ts';

const levels = ['organization', 'project', 'key'] as const;

/**
 * Reads what was spent, in nano-dollars. Whole hours come from the sums; the incomplete hours at both ends come from
 * the rows, since the days of some time zones start at half past.
 */
export async function readSpent(
  database: LedgerDatabase,
  { path, models, since, until }: SpendingQuery,
): Promise<bigint> {
  const owner = Object.fromEntries(
    levels.flatMap((level, index) => (path[index] === undefined ? [] : [[level, path[index]]])),
  );
  const hour = startOf('hour', since);
  const from = hour === since ? since : nextStart('hour', hour);
  const to =
    until === undefined
      ? nextStart('month', startOf('month', Math.max(from, Date.now())))
      : Math.max(from, startOf('hour', until));
  const incompleteHours = [
    [since, Math.min(from, until ?? from)],
    ...(until === undefined ? [] : [[to, until]]),
  ].filter(([first = 0, end = 0]) => first < end);
  const spans = spansOf(from, to);

  const rows = database
    .selectFrom('ledger')
    .where(({ and, or, eb }) =>
      or(incompleteHours.map(([first = 0, end = 0]) => and([eb('ended_at', '>=', first), eb('ended_at', '<', end)]))),
    )
    .where(({ and }) => and(owner))
    .select(['model', ({ fn }) => fn.sum<number | bigint | null>('cost').as('cost')])
    .groupBy('model');
  const sums = database
    .selectFrom('ledger_usage')
    .innerJoin('ledger_dimensions', 'ledger_dimensions.id', 'ledger_usage.dimension')
    .where(({ and, or, eb }) =>
      or(
        spans.map(({ step, from: first, to: end }) =>
          and([eb('step', '=', step), eb('start', '>=', first), eb('start', '<', end)]),
        ),
      ),
    )
    .where(({ and }) => and(owner))
    .select(['model', ({ fn }) => fn.sum<number | bigint | null>('cost').as('cost')])
    .groupBy('model');
  const found = [
    ...(incompleteHours.length > 0 ? await rows.execute() : []),
    ...(spans.length > 0 ? await sums.execute() : []),
  ];
  return found
    .filter(({ model }) => models.length === 0 || allowsModel(models, model))
    .reduce((sum, { cost }) => sum + BigInt(cost ?? 0), 0n);
}
