import { sql } from '../../../core/api/database.ts';
import type { LedgerTable } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { valueOf } from './attributed.ts';
import { isOneOf } from './identity.ts';
import { searchDimensions, type SearchQuery } from './search-query.ts';

/** Combinations of dimensions that are searched each by itself. Beyond that, rows are examined by time. */
const MAX_STREAMS = 200;

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
    ...(minDurationMs === undefined ? [] : [sql`total_ms >= ${minDurationMs}`]),
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
  /** Conditions that are evaluated for each row. */
  readonly residual: readonly Condition[];
}

type Tuple = Pick<LedgerTable, 'organization' | 'project' | 'key' | 'model'> & { readonly target: string };

/** The combinations of dimensions that match, as the index of searches has them; undefined if there are too many. */
const findTuples = async (database: LedgerDatabase, query: SearchQuery): Promise<readonly Tuple[] | undefined> => {
  const conditions = dimensionsOf(query, sql`provider`);
  const { rows } = await sql<Tuple>`SELECT DISTINCT organization, project, key, model, target FROM ledger_dimensions
    WHERE ${all(conditions)} LIMIT ${sql.lit(MAX_STREAMS + 1)}`.execute(database);
  return rows.length > MAX_STREAMS ? undefined : rows;
};

const tupleStream = ({ organization, project, key, model, target }: Tuple): readonly Condition[] => [
  sql`organization = ${organization} AND project = ${project} AND key = ${key} AND model = ${model}`,
  target === '' ? sql`target IS NULL` : sql`target = ${target}`,
];

/** The indexes that a search reads. */
export interface Plan {
  /** All rows by time: to be tried first, in case that many of them match. */
  readonly byTime?: readonly Stream[];
  readonly streams: readonly Stream[];
}

/**
 * Chooses the indexes: that of users, that of dimensions, or time. Failures have smaller ones. Open rows are few, and a
 * stream of their own.
 */
export async function planSearch(database: LedgerDatabase, query: SearchQuery): Promise<Plan> {
  const failed = onlyFailures(query) ? [FAILED] : [];
  const dimensions = dimensionsOf(query, valueOf(database, 'provider'));
  const residual = residualOf(database, query);
  const { users } = query;
  const pending: Stream = {
    weight: 1,
    time: 'opened_at',
    conditions: [sql`state = 'pending'`],
    residual: [...dimensions, ...(users === undefined ? [] : [isIn('end_user', users)]), ...residual],
  };
  const ended = { time: 'ended_at', residual } as const;
  if (users !== undefined) {
    const ofUser = { ...ended, weight: 4, residual: [...dimensions, ...residual] } as const;
    return { streams: [pending, ...users.map((user) => ({ ...ofUser, conditions: [sql`end_user = ${user}`] }))] };
  }
  const byTime = [
    pending,
    { ...ended, weight: 1, conditions: failed, residual: [...dimensions, ...residual] } as const,
  ];
  const tuples = dimensions.length === 0 ? undefined : await findTuples(database, query);
  if (tuples === undefined) return { streams: byTime };
  const ofTuple = (tuple: Tuple): Stream => ({ ...ended, weight: 4, conditions: [...tupleStream(tuple), ...failed] });
  return { byTime, streams: [pending, ...tuples.map(ofTuple)] };
}
