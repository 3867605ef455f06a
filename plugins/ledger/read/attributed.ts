import { dialectOf, sql } from '../../../core/api/database.ts';
import { startOf, type Step } from '../periods.ts';
import { outcomeNames, countColumns } from '../tables.ts';
import { identityOf, isOneOf } from './identity.ts';
import { isDimension, type UsageName } from './usage-name.ts';
import type { LedgerDatabase } from '../thread/insert.ts';

/** The lines of a report. */
export interface Grouping {
  /** One line for each period of this length, in UTC; absent: one for the whole time. */
  readonly step?: Step;
  /** One line for each combination of these; empty: one for all. */
  readonly by: readonly UsageName[];
  /** Values to include, by name. */
  readonly where: Partial<Record<UsageName, readonly string[]>>;
}

type Row = Readonly<Record<string, string | number | bigint>>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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
];

/** Months are summed up from days here: the databases have no common function for them. */
const combineDays = (rows: readonly Row[], step: Step, names: readonly string[]): readonly Row[] => {
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

/**
 * Sums up the rows themselves, for reports by end user or tag. They are as old as `retention` allows.
 * @param span whole periods, in unix milliseconds
 */
export async function selectRows(
  database: LedgerDatabase,
  { step, by, where }: Grouping,
  [from, to]: readonly [from: number, to: number],
): Promise<readonly Row[]> {
  const length = step === 'hour' ? HOUR_MS : DAY_MS;
  const groups = [
    ...(step === undefined ? [] : [{ name: 'start', value: sql`ended_at - ended_at % ${sql.lit(length)}` }]),
    ...by.map((name) => ({ name, value: valueOf(database, name) })),
  ];
  const conditions = (Object.entries(where) as [UsageName, readonly string[]][]).map(([name, values]) =>
    name === 'project' || name === 'key'
      ? isOneOf(name, values)
      : sql`${valueOf(database, name)} IN (${sql.join(values)})`,
  );
  // Not `sql.ref`, which would split the name of a plugin's tag at its dot.
  const list = sql.join(groups.map(({ name }) => sql.id(`g_${name}`)));
  const inner = sql`SELECT ${sql.join([
    ...groups.map(({ name, value }) => sql`${value} AS ${sql.id(`g_${name}`)}`),
    ...['outcome', 'usage_source', 'cost', 'cache_saved', 'cache_lost', 'total_ms', ...countColumns].map((name) =>
      sql.ref(name),
    ),
  ])} FROM ledger WHERE state <> 'pending' AND ended_at >= ${from} AND ended_at < ${to}
    ${conditions.length === 0 ? sql`` : sql`AND ${sql.join(conditions, sql` AND `)}`}`;
  const end =
    groups.length === 0
      ? sql`HAVING count(*) > 0`
      : sql`GROUP BY ${list} ORDER BY ${list} LIMIT ${sql.lit(MAX_LINES + 1)}`;
  const names = groups.map(({ name }) => sql`${sql.id(`g_${name}`)} AS ${sql.id(name)}`);
  const found = sql<Row>`SELECT ${sql.join([...names, ...countRow()])} FROM (${inner}) AS found ${end}`;
  const { rows } = await found.execute(database);
  return step === 'month' && rows.length <= MAX_LINES ? combineDays(rows, step, by) : rows;
}
