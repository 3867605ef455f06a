import { allowsModel, type SpendingQuery } from '../../../core/api/index.ts';
import { sql } from '../../../core/api/database.ts';
import { endOf, hoursSince, nextStart, spansOf, startOf } from '../periods.ts';
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
 * Reads what was spent, in nano-dollars. Whole hours come from the sums, long ago whole days. The rest at both ends
 * comes from the rows, since the days of some time zones start at half past.
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
  const unitAt = (at: number) => (at < hoursSince(Date.now()) ? 'day' : 'hour');
  const from = endOf(unitAt(since), since);
  const to =
    until === undefined
      ? nextStart('month', startOf('month', Math.max(from, Date.now())))
      : Math.max(from, startOf(unitAt(until), until));
  const incomplete = [[since, Math.min(from, until ?? from)], ...(until === undefined ? [] : [[to, until]])].filter(
    ([start = 0, end = 0]) => start < end,
  );
  const spans = spansOf(from, to);

  const rows = database
    .selectFrom('ledger')
    .where(({ and, or, eb }) =>
      or(incomplete.map(([start = 0, end = 0]) => and([eb('ended_at', '>=', start), eb('ended_at', '<', end)]))),
    )
    .where(({ and }) => and(owner))
    .select(['model', ({ fn }) => fn.sum<number | bigint | null>('cost').as('cost')])
    .groupBy('model');
  const sums = database
    .selectFrom('ledger_usage')
    .innerJoin('ledger_dimensions', 'ledger_dimensions.id', 'ledger_usage.dimension')
    .where(({ and, or, eb }) =>
      or(
        spans.map(({ step, from: start, to: end }) =>
          and([eb('step', '=', step), eb('start', '>=', start), eb('start', '<', end)]),
        ),
      ),
    )
    .where(({ and }) => and(owner))
    .select(['model', ({ fn }) => fn.sum<number | bigint | null>('cost').as('cost')])
    .groupBy('model');
  const found = [
    ...(incomplete.length > 0 ? await rows.execute() : []),
    ...(spans.length > 0 ? await sums.execute() : []),
  ];
  return sumOf(found, models);
}
