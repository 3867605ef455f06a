import { allowsModel, type SpendingQuery } from '../../../core/api/index.ts';
import { sql } from '../../../core/api/database.ts';
import { nextStart, spansOf, startOf } from '../periods.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { valueOf } from './attributed.ts';

const levels = ['organization', 'project', 'key'] as const;

interface Found {
  readonly model: string;
  readonly cost: string | number | bigint | null;
}

const sumOf = (found: readonly Found[], models: readonly string[]): bigint =>
  found
    .filter(({ model }) => models.length === 0 || allowsModel(models, model))
    .reduce((sum, { cost }) => sum + BigInt(cost ?? 0), 0n);

/** What one user or tag has spent, from the rows: the sums do not have it. */
const readSpentBy = (
  database: LedgerDatabase,
  owner: Readonly<Record<string, string | undefined>>,
  { user, tag }: Pick<SpendingQuery, 'user' | 'tag'>,
  [since, until]: readonly [since: number, until: number | undefined],
): Promise<readonly Found[]> => {
  let rows = database
    .selectFrom('ledger')
    .where('ended_at', '>=', since)
    .where(({ and }) => and(owner));
  if (until !== undefined) rows = rows.where('ended_at', '<', until);
  // Not `valueOf`, so that the index of users is used.
  if (user !== undefined) rows = rows.where('end_user', '=', user);
  if (tag !== undefined) rows = rows.where(sql`${valueOf(database, `tag:${tag.name}`)}`, '=', tag.value);
  return rows
    .select(['model', ({ fn }) => fn.sum<number | bigint | null>('cost').as('cost')])
    .groupBy('model')
    .execute();
};

/**
 * Reads what was spent, in nano-dollars. Whole hours come from the sums; the incomplete hours at both ends come from
 * the rows, since the days of some time zones start at half past.
 */
export async function readSpent(
  database: LedgerDatabase,
  { path, models, user, tag, since, until }: SpendingQuery,
): Promise<bigint> {
  const owner = Object.fromEntries(
    levels.flatMap((level, index) => (path[index] === undefined ? [] : [[level, path[index]]])),
  );
  if (user !== undefined || tag !== undefined) {
    return sumOf(await readSpentBy(database, owner, { user, tag }, [since, until]), models);
  }
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
  return sumOf(found, models);
}
