import { dialectOf, sql } from '../../../core/api/database.ts';
import { bucketBounds } from '../histogram.ts';
import { lengths, nextStart, startOf } from '../periods.ts';
import { outcomeNames, countColumns, type CounterName } from '../tables.ts';
import { identityOf, isOneOf } from './identity.ts';
import { isDimension, type UsageName } from './usage-name.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import {
  groupColumn,
  inGroups,
  measures,
  whereAll,
  type Chunk,
  type Column,
  type Group,
  type Grouping,
  type Groups,
  type Measure,
  type Slice,
  type Source,
  type Sql,
} from './source.ts';

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

const filterOf = (database: LedgerDatabase, name: UsageName, wanted: readonly string[]): Sql => {
  if (name === 'project' || name === 'key') return isOneOf(name, wanted);
  // The index of end users has no rows without one.
  const value = name === 'user' && !wanted.includes('') ? sql.ref('end_user') : valueOf(database, name);
  return sql`${value} IN (${sql.join(wanted)})`;
};

const one = (condition: Sql): Sql => sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`;
const each = <Name extends string>(names: readonly Name[], valueFor: (name: Name) => Sql) =>
  Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, Sql>;
/** The counters of a row. It is one exchange with one sum, even if several targets were charged. */
const counters: Readonly<Record<CounterName, Sql>> = {
  exchanges: sql`1`,
  ...each(outcomeNames, (name) => one(sql`outcome = ${sql.lit(name)}`)),
  ...each(countColumns, (name) => sql`${sql.ref(name)}`),
  estimated: one(sql`usage_source = 'estimated'`),
  unpriced: one(sql`cost IS NULL`),
  cost: sql`COALESCE(cost, 0)`,
  cache_saved: sql`COALESCE(cache_saved, 0)`,
  cache_lost: sql`COALESCE(cache_lost, 0)`,
  ok_ms: sql`CASE WHEN outcome = 'ok' THEN COALESCE(total_ms, 0) ELSE 0 END`,
  // Which target an earlier attempt had is in the JSON of `trail` only.
  retried: sql`0`,
};

/**
 * A whole number of milliseconds as part of a sketch. The databases have no common logarithm, so this is a binary
 * search in the bounds of `bucketOf`.
 */
const selectBucket = (column: string, bounds: typeof bucketBounds): Sql => {
  const middle = Math.floor((bounds.length - 1) / 2);
  const { bucket, bound } = bounds[middle] ?? { bucket: 0, bound: 0 };
  if (bounds.length < 2) return sql`${sql.lit(`${bucket} `)}`;
  const [lower, upper] = [bounds.slice(0, middle + 1), bounds.slice(middle + 1)];
  return sql`CASE WHEN ${sql.ref(column)} <= ${sql.lit(bound)}
    THEN ${selectBucket(column, lower)} ELSE ${selectBucket(column, upper)} END`;
};
const sketchOf = (column: string): Sql =>
  sql`CASE WHEN outcome = 'ok' AND ${sql.ref(column)} IS NOT NULL
    THEN ${selectBucket(column, bucketBounds)} ELSE '' END`;
const figures: Readonly<Record<Column, Sql>> = {
  ...counters,
  total_times: sketchOf('total_ms'),
  first_times: sketchOf('first_content_ms'),
};

/** The start of the period of a row. */
const selectStart = (database: LedgerDatabase, step: NonNullable<Grouping['step']>): Sql => {
  if (step !== 'month') return sql`ended_at - ended_at % ${sql.lit(lengths[step])}`;
  return dialectOf(database).name === 'sqlite'
    ? sql`unixepoch(ended_at / 1000, 'unixepoch', 'start of month') * 1000`
    : sql`CAST(extract(epoch FROM date_trunc('month', to_timestamp(ended_at / 1000) AT TIME ZONE 'UTC')) AS BIGINT)
        * 1000`;
};

/** Whole days, so that a long report ends at its time limit. */
const chunksOf = ({ step }: Grouping, from: number, to: number): readonly Chunk[] => {
  const chunks: Chunk[] = [];
  const unit = step === 'month' ? 'month' : 'day';
  for (let start = from; start < to;) {
    const end = Math.min(to, nextStart(unit, startOf(unit, start)));
    chunks.push({ from: start, to: end });
    start = end;
  }
  return chunks;
};

/**
 * Reads the rows themselves, for reports by end user or tag, and of short times. They are as old as `retention` allows.
 */
export class Rows implements Source {
  readonly chunks: readonly Chunk[];
  readonly #database: LedgerDatabase;
  readonly #grouping: Grouping;
  readonly #span: Chunk;

  /** @param span whole periods, in unix milliseconds */
  constructor(database: LedgerDatabase, grouping: Grouping, [from, to]: readonly [from: number, to: number]) {
    this.#database = database;
    this.#grouping = grouping;
    this.#span = { from, to };
    this.chunks = chunksOf(grouping, from, to);
  }

  #select({ from, to }: Chunk, selected: readonly Sql[], groups: Groups): Sql {
    const { by, where } = this.#grouping;
    const values = by.map((name) => valueOf(this.#database, name));
    const conditions = (Object.entries(where) as [UsageName, readonly string[]][]).map(([name, wanted]) =>
      filterOf(this.#database, name, wanted),
    );
    const named = values.map((value, index) => sql`${value} AS ${groupColumn(by[index] ?? 'model')}`);
    return sql`SELECT ${sql.join([...named, ...selected])} FROM ledger ${whereAll([
      sql`state IN ('settled', 'abandoned') AND ended_at >= ${from} AND ended_at < ${to}`,
      ...conditions,
      ...inGroups(values, groups),
    ])}`;
  }

  /** A time that is short enough for sketches has a bucket of each row: there are few. */
  async slices(): Promise<readonly Slice[]> {
    return [{}];
  }

  read(chunk: Chunk, columns: readonly Column[], groups: Groups): Sql {
    const { step } = this.#grouping;
    const selected = [
      ...(step === undefined ? [] : [sql`${selectStart(this.#database, step)} AS start`]),
      ...columns.map((name) => sql`${figures[name]} AS ${sql.ref(name)}`),
    ];
    return this.#select(chunk, selected, groups);
  }

  rank(measure: Measure, groups: Groups): Sql {
    const sum = sql.join(
      measures[measure].map((name) => counters[name]),
      sql` + `,
    );
    return this.#select(this.#span, [sql`${sum} AS measure`], groups);
  }

  bound(): undefined {}

  async nextGroup(after: Group | undefined, count: number): Promise<Group | undefined> {
    const columns = this.#grouping.by.map(groupColumn);
    const groups = this.#select(this.#span, [sql`1 AS one`], after === undefined ? {} : { after });
    const { rows } = await sql<Readonly<Record<string, string>>>`SELECT DISTINCT ${sql.join(columns)}
      FROM (${groups}) AS found ORDER BY ${sql.join(columns)} LIMIT 1 OFFSET ${sql.lit(count - 1)}`.execute(
      this.#database,
    );
    const [row] = rows;
    return row && this.#grouping.by.map((name) => String(row[`g_${name}`]));
  }
}
