import { sql } from '../../../core/api/database.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { LedgerTable } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { hasSearchIndexes } from '../thread/search-indexes.ts';
import { valueOf } from './attributed.ts';
import { isOneOf } from './identity.ts';
import { searchDimensions, type SearchCursor, type SearchQuery } from './search-query.ts';

/** Combinations of dimensions that are searched each by itself. Beyond that, rows are examined by time. */
const MAX_TUPLES = 2_000;

export type Condition = ReturnType<typeof sql>;
export const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` AND `);
const isIn = (column: string, values: readonly (string | number)[]): Condition =>
  sql`${sql.ref(column)} IN (${sql.join(values)})`;

/** Written as in the indexes of failures, so that the planner recognizes it. */
const FAILED = sql`outcome <> 'ok'`;
const onlyFailures = ({ outcomes, statuses }: SearchQuery): boolean =>
  (outcomes !== undefined && !outcomes.includes('ok')) ||
  (statuses !== undefined && statuses.every((status) => status >= 400));

/** @param providerOf the provider of a row: a column of the dimensions, and a part of the target elsewhere */
const dimensionsOf = ({ dimensions }: SearchQuery, providerOf: Condition): readonly Condition[] =>
  searchDimensions.flatMap((name) => {
    const values = dimensions[name];
    if (values === undefined) return [];
    return [name === 'provider' ? sql`${providerOf} IN (${sql.join(values)})` : isOneOf(name, values)];
  });

/** Conditions that no index decides by itself. */
const residualOf = (database: LedgerDatabase, query: SearchQuery): readonly Condition[] => {
  const { outcomes, codes, statuses, minDurationMs, minCost, tags } = query;
  return [
    ...(outcomes === undefined ? [] : [isIn('outcome', outcomes)]),
    ...(codes === undefined ? [] : [isIn('code', codes)]),
    ...(statuses === undefined ? [] : [isIn('status', statuses)]),
    ...(minDurationMs === undefined ? [] : [sql`total_ms >= ${Math.ceil(minDurationMs)}`]),
    ...(minCost === undefined ? [] : [sql`cost >= ${minCost}`]),
    ...tags.map(({ name, value }) => sql`${valueOf(database, `tag:${name}`)} = ${value}`),
  ];
};

/** Rows that an index has in the order of the search. */
export interface Stream {
  /** What examining a row costs: those of one time are neighbours in the table, others are scattered. */
  readonly weight: 1 | 4;
  readonly time: 'ended_at' | 'opened_at';
  readonly conditions: readonly Condition[];
  /** What precedes the time in the order: something that is the same in all rows. */
  readonly order?: Condition;
  /** Conditions that are evaluated for each row. */
  readonly residual: readonly Condition[];
}

/** The streams that can have the next rows. */
export interface Streams {
  readonly streams: readonly Stream[];
  /** Other streams have no row that is newer than this time. */
  readonly beyond?: number;
}

type Tuple = Pick<LedgerTable, 'organization' | 'project' | 'key' | 'model'> & { readonly target: string };

/** Without it, Postgres would sort all rows without a target: it does not see that `IS NULL` is one value. */
const TARGET_FIRST = sql`target DESC,`;
const tupleStream = ({ organization, project, key, model, target }: Tuple): readonly Condition[] => [
  sql`organization = ${organization} AND project = ${project} AND key = ${key} AND model = ${model}`,
  target === '' ? sql`target IS NULL` : sql`target = ${target}`,
];

/** The rows of a stream that are after a position, in the time of the search. */
export const conditionsOf = (
  { time, conditions }: Pick<Stream, 'time' | 'conditions'>,
  { from = 0, to }: SearchQuery,
  after: SearchCursor | undefined,
): Condition => {
  const at = sql.ref(`ledger.${time}`);
  return all([
    ...conditions,
    sql`${at} >= ${from}`,
    ...(to === undefined ? [] : [sql`${at} < ${to}`]),
    ...(after === undefined ? [] : [sql`${at} <= ${after.at} AND (${at} < ${after.at} OR ledger.id < ${after.id})`]),
  ]);
};

const matching = (query: SearchQuery) => sql`SELECT DISTINCT organization, project, key, model, target
  FROM ledger_dimensions WHERE ${all(dimensionsOf(query, sql`provider`))} LIMIT ${sql.lit(MAX_TUPLES + 1)}`;

const countTuples = async (database: LedgerDatabase, query: SearchQuery): Promise<number> => {
  const counted = sql<{ readonly count: number }>`SELECT count(*) AS count FROM (${matching(query)}) AS known`;
  return Number((await counted.execute(database)).rows[0]?.count ?? 0);
};

/**
 * The combinations of dimensions that match, each with the time of its next row, the newest first. Which combinations
 * exist is known from the dimensions of the sums.
 */
const findTuples = async (
  database: LedgerDatabase,
  query: SearchQuery,
  failed: readonly Condition[],
  after: SearchCursor | undefined,
): Promise<readonly (Tuple & { readonly at: number })[]> => {
  const isSame = ['organization', 'project', 'key', 'model'].map(
    (name) => sql`${sql.ref(`ledger.${name}`)} = ${sql.ref(`known.${name}`)}`,
  );
  const next = (target: Condition, order: Condition) => {
    const conditions = conditionsOf({ time: 'ended_at', conditions: [...isSame, target, ...failed] }, query, after);
    return sql`(SELECT ended_at FROM ledger WHERE ${conditions} ORDER BY ${order} ended_at DESC LIMIT 1)`;
  };
  const { rows } = await sql<Tuple & { readonly at: number | null }>`SELECT known.*,
      CASE WHEN known.target = '' THEN ${next(sql`ledger.target IS NULL`, TARGET_FIRST)}
        ELSE ${next(sql`ledger.target = known.target`, sql``)} END AS at
    FROM (${matching(query)}) AS known`.execute(database);
  return rows
    .flatMap(({ at, ...tuple }) => (at === null ? [] : [{ ...tuple, at: Number(at) }]))
    .toSorted((one, other) => other.at - one.at);
};

/**
 * Chooses the indexes: that of users, that of dimensions, or time. Failures have smaller ones. Open rows are few, and a
 * stream of their own. While the indexes are created, rows are examined by time.
 * @param maxStreams combinations of dimensions that are examined at the same time: those with the newest rows
 * @returns a function that returns the streams with the rows after a position of the search
 */
export async function planSearch(
  database: LedgerDatabase,
  query: SearchQuery,
  maxStreams: number,
): Promise<(after: SearchCursor | undefined) => Promise<Streams>> {
  const isIndexed = await hasSearchIndexes(database);
  const failed = isIndexed && onlyFailures(query) ? [FAILED] : [];
  const dimensions = dimensionsOf(query, valueOf(database, 'provider'));
  const residual = residualOf(database, query);
  const { users } = query;
  const pending: Stream = {
    weight: 1,
    time: 'opened_at',
    conditions: [sql`state = 'pending'`],
    residual: [...dimensions, ...(users === undefined ? [] : [isIn('end_user', users)]), ...residual],
  };
  const ended = { time: 'ended_at', residual: [...dimensions, ...residual], weight: 4 } as const;
  if (users !== undefined) {
    const streams = [pending, ...users.map((user) => ({ ...ended, conditions: [sql`end_user = ${user}`] }))];
    return async () => ({ streams });
  }
  if (!isIndexed || dimensions.length === 0 || (await countTuples(database, query)) > MAX_TUPLES) {
    const byTime: Stream = { ...ended, conditions: failed, weight: failed.length === 0 ? 1 : 4 };
    return async () => ({ streams: [pending, byTime] });
  }
  return async (after) => {
    const tuples = await findTuples(database, query, failed, after);
    const last = tuples[Math.min(tuples.length, maxStreams) - 1];
    const next = tuples.filter(({ at }) => at >= (last?.at ?? 0));
    const streams = next.map((tuple) => ({
      ...ended,
      residual,
      order: tuple.target === '' ? TARGET_FIRST : sql``,
      conditions: [...tupleStream(tuple), ...failed],
    }));
    return omitUndefined({ streams: [pending, ...streams], beyond: tuples[next.length]?.at });
  };
}
