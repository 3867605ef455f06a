import { dialectOf, sql } from '../../../core/api/database.ts';
import { bucketBounds } from '../histogram.ts';
import { startOf, type ReportStep } from '../periods.ts';
import { outcomeNames, countColumns } from '../tables.ts';
import { identityOf, isOneOf } from './identity.ts';
import { isDimension, type UsageName } from './usage-name.ts';
import type { LedgerDatabase } from '../thread/insert.ts';

/** The lines of a report. */
export interface Grouping {
  /** One line for each period of this length, in UTC; absent: one for the whole time. */
  readonly step?: ReportStep;
  /** One line for each combination of these; empty: one for all. */
  readonly by: readonly UsageName[];
  /** Values to include, by name. */
  readonly where: Partial<Record<UsageName, readonly string[]>>;
}

type Row = Readonly<Record<string, string | number | bigint>>;

/** Months are summed up from days: the databases have no common function for them. */
const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000, month: 86_400_000 } as const;

/** Lines that are read at most: users are unbounded. One more shows that there are more. */
export const MAX_LINES = 10_000;

const TAG = 'tag:';

/** The value of a row. Empty: it has no such user, tag or target. */
export const valueOf = (database: LedgerDatabase, name: UsageName) => {
  const isSqlite = dialectOf(database).name === 'sqlite';
  if (name === 'user') return sql`COALESCE(end_user, '')`;
  if (name.startsWith(TAG)) {
    const tag = name.slice(TAG.length);
    return isSqlite
      ? sql`COALESCE(CAST(tags ->> ${`$."${tag}"`} AS TEXT), '')`
      : sql`COALESCE(CAST(tags AS jsonb) ->> ${sql.lit(tag)}, '')`;
  }
  if (name === 'target') return sql`COALESCE(target, '')`;
  if (name !== 'provider') return isDimension(name) ? identityOf(name) : sql.ref(name);
  return isSqlite
    ? sql`COALESCE(substr(target, 1, instr(target, '/') - 1), '')`
    : sql`COALESCE(split_part(target, '/', 1), '')`;
};

/** The counters of a row. It is one exchange with one sum, even if several targets were charged. */
const countRow = () => [
  sql`count(*) AS exchanges`,
  ...outcomeNames.map((name) => sql`sum(CASE WHEN outcome = ${sql.lit(name)} THEN 1 ELSE 0 END) AS ${sql.ref(name)}`),
  ...countColumns.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`),
  sql`sum(CASE WHEN usage_source = 'estimated' THEN 1 ELSE 0 END) AS estimated`,
  sql`sum(CASE WHEN cost IS NULL THEN 1 ELSE 0 END) AS unpriced`,
  ...['cost', 'cache_saved', 'cache_lost'].map((name) => sql`sum(COALESCE(${sql.ref(name)}, 0)) AS ${sql.ref(name)}`),
  sql`sum(CASE WHEN outcome = 'ok' THEN COALESCE(total_ms, 0) ELSE 0 END) AS ok_ms`,
  // Which target an earlier attempt had is in the JSON of `trail` only.
  sql`0 AS retried`,
];

const combineDays = (rows: readonly Row[], step: ReportStep, names: readonly string[]): readonly Row[] => {
  const combined = new Map<string, Record<string, string | number | bigint>>();
  for (const row of rows) {
    const start = startOf(step, Number(row['start']));
    const key = JSON.stringify([start, ...names.map((name) => row[name])]);
    const sums = combined.get(key);
    if (sums === undefined) combined.set(key, { ...row, start });
    else
      for (const [name, count] of Object.entries(row))
        if (name !== 'start' && !names.includes(name)) sums[name] = BigInt(sums[name] ?? 0) + BigInt(count);
  }
  return [...combined.values()];
};

interface Found {
  /** What the rows are grouped by, under other names than those of the columns. */
  readonly names: readonly string[];
  readonly rows: ReturnType<typeof sql>;
}

/** The rows of a report with these columns. @param span whole periods, in unix milliseconds */
const findRows = (
  database: LedgerDatabase,
  { step, by, where }: Grouping,
  [from, to]: readonly [from: number, to: number],
  columns: readonly ReturnType<typeof sql>[],
): Found => {
  const groups = [
    ...(step === undefined ? [] : [{ name: 'start', value: sql`ended_at - ended_at % ${sql.lit(lengths[step])}` }]),
    ...by.map((name) => ({ name, value: valueOf(database, name) })),
  ];
  const conditions = (Object.entries(where) as [UsageName, readonly string[]][]).map(([name, values]) =>
    name === 'project' || name === 'key'
      ? isOneOf(name, values)
      : sql`${valueOf(database, name)} IN (${sql.join(values)})`,
  );
  // Not `sql.ref`, which would split the name of a plugin's tag at its dot.
  const grouped = groups.map(({ name, value }) => sql`${value} AS ${sql.id(`g_${name}`)}`);
  return {
    names: groups.map(({ name }) => name),
    rows: sql`SELECT ${sql.join([...grouped, ...columns])} FROM ledger
      WHERE state IN ('settled', 'abandoned') AND ended_at >= ${from} AND ended_at < ${to}
      ${conditions.length === 0 ? sql`` : sql`AND ${sql.join(conditions, sql` AND `)}`}`,
  };
};

const named = (names: readonly string[]) => names.map((name) => sql`${sql.id(`g_${name}`)} AS ${sql.id(name)}`);
const listed = (names: readonly string[], ...more: readonly string[]) =>
  sql.join([...names.map((name) => sql.id(`g_${name}`)), ...more.map((name) => sql.id(name))]);

const counted = ['outcome', 'usage_source', 'cost', 'cache_saved', 'cache_lost', 'total_ms', ...countColumns];

/**
 * Sums up the rows themselves, for reports by end user or tag, and of short times. They are as old as `retention`
 * allows.
 * @param span whole periods, in unix milliseconds
 */
export async function selectRows(
  database: LedgerDatabase,
  grouping: Grouping,
  span: readonly [from: number, to: number],
): Promise<readonly Row[]> {
  const { names, rows } = findRows(
    database,
    grouping,
    span,
    counted.map((name) => sql`${sql.ref(name)}`),
  );
  const end =
    names.length === 0
      ? sql`HAVING count(*) > 0`
      : sql`GROUP BY ${listed(names)} ORDER BY ${listed(names)} LIMIT ${sql.lit(MAX_LINES + 1)}`;
  const found = sql<Row>`SELECT ${sql.join([...named(names), ...countRow()])} FROM (${rows}) AS found ${end}`;
  const lines = (await found.execute(database)).rows;
  const { step, by } = grouping;
  return step === 'month' && lines.length <= MAX_LINES ? combineDays(lines, step, by) : lines;
}

/**
 * The bucket of a whole number of milliseconds, as `bucketOf` computes it. The databases have no common logarithm, so
 * this is a binary search in the bounds.
 */
const selectBucket = (column: string, bounds: typeof bucketBounds): ReturnType<typeof sql> => {
  const middle = Math.floor((bounds.length - 1) / 2);
  const { bucket, bound } = bounds[middle] ?? { bucket: 0, bound: 0 };
  if (bounds.length < 2) return sql`${sql.lit(bucket)}`;
  const [lower, upper] = [bounds.slice(0, middle + 1), bounds.slice(middle + 1)];
  return sql`CASE WHEN ${sql.ref(column)} <= ${sql.lit(bound)}
    THEN ${selectBucket(column, lower)} ELSE ${selectBucket(column, upper)} END`;
};

/** Histograms of the durations of successful rows, in the form of `ledger_latencies`. */
export async function selectTimes(
  database: LedgerDatabase,
  grouping: Grouping,
  span: readonly [from: number, to: number],
): Promise<readonly Row[]> {
  const kinds = [
    ['total', 'total_ms'],
    ['first_content', 'first_content_ms'],
  ] as const;
  const count = sql`count(*) AS count`;
  const found = kinds.map(([kind, column]) => {
    const { names, rows } = findRows(database, grouping, span, [sql`${selectBucket(column, bucketBounds)} AS bucket`]);
    const times = sql`${rows} AND outcome = 'ok' AND ${sql.ref(column)} IS NOT NULL`;
    return sql<Row>`SELECT ${sql.join([...named(names), sql`${sql.lit(kind)} AS kind`, sql`bucket`, count])}
      FROM (${times}) AS found GROUP BY ${listed(names, 'bucket')} ORDER BY ${listed(names, 'bucket')}`.execute(
      database,
    );
  });
  return (await Promise.all(found)).flatMap(({ rows }) => rows);
}
