import { omitUndefined } from '../../../core/api/codec.ts';
import { sql } from '../../../core/api/database.ts';
import { quantileOf, type Bucket } from '../histogram.ts';
import { nextStart, spansOf, startOf, type Span } from '../periods.ts';
import { counterNames, type CounterName, type DimensionName, type LatenciesTable } from '../tables.ts';
import { identityOf, isOneOf } from './identity.ts';
import { isDimension, type UsageName } from './usage-name.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { selectRows, selectTimes, type Grouping } from './attributed.ts';

export interface UsageQuery extends Grouping {
  /** Unix milliseconds; widened to whole hours, with `rows` to whole minutes, or to whole periods of `step`. */
  readonly from: number;
  readonly to: number;
  /** Reads the rows, for times that are shorter than those of the sums. */
  readonly rows?: boolean;
  /** The counters to sum up; others are 0. Fewer are faster, since SQLite sorts all of them. Absent: all. */
  readonly counters?: readonly CounterName[];
}

/** Identifies a line. */
export interface UsageKey {
  readonly start?: number;
  readonly dimensions: Partial<Record<UsageName, string>>;
}
export interface UsageLine extends UsageKey {
  /** Money in nano-dollars. */
  readonly counters: Readonly<Record<CounterName, bigint>>;
}
export interface LatencyLine extends UsageKey {
  readonly kind: LatenciesTable['kind'];
  /** Milliseconds, in the order of the requested quantiles. */
  readonly percentiles: readonly (number | undefined)[];
}

const widen = ({
  from,
  to,
  rows,
  step = rows === true ? 'minute' : 'hour',
}: UsageQuery): readonly [from: number, to: number] => {
  const last = startOf(step, to);
  return [startOf(step, from), last === to ? to : nextStart(step, last)];
};
const listSpans = (query: UsageQuery): readonly Span[] => {
  const [from, to] = widen(query);
  const { step } = query;
  if (step === undefined || step === 'minute') return spansOf(from, to);
  return from < to ? [{ step, from, to }] : [];
};

const inSpans = (spans: readonly Span[]) =>
  spans.length === 0
    ? sql`1 = 0`
    : sql`(${sql.join(
        spans.map(({ step, from, to }) => sql`(step = ${step} AND start >= ${from} AND start < ${to})`),
        sql` OR `,
      )})`;

const ofDimensions = (where: UsageQuery['where']) => {
  const conditions = Object.entries(where).map(([name, values = []]) => isOneOf(name as DimensionName, values));
  return conditions.length === 0
    ? sql``
    : sql`AND dimension IN (SELECT id FROM ledger_dimensions WHERE ${sql.join(conditions, sql` AND `)})`;
};

type Row = Readonly<Record<string, string | number | bigint>>;

const keyOf = ({ step, by }: UsageQuery, row: Row): UsageKey =>
  omitUndefined({
    start: step === undefined ? undefined : Number(row['start']),
    dimensions: Object.fromEntries(by.map((name) => [name, String(row[name])])),
  });

/**
 * Without `step`, the inner query sums up by dimension id, so that only few rows are joined with their names and
 * grouped again. With `step`, there is only one row for each period and dimension, and the inner query would not make
 * it faster.
 */
const select = (query: UsageQuery, table: string, own: readonly string[], summed: readonly string[]) => {
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  const plain = (name: string) => ({ name, value: sql`${sql.ref(name)}` });
  const grouped = [
    ...(query.step === undefined ? [] : [plain('start')]),
    ...query.by.map((name) => ({ name, value: identityOf(name as DimensionName) })),
    ...own.map(plain),
  ];
  const values = sql.join(grouped.map(({ value }) => value));
  const named = grouped.map(({ name, value }) => sql`${value} AS ${sql.ref(name)}`);
  const isNamed = query.by.length > 0;
  const sums = sql.join(summed.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`));
  const source = sql`${sql.table(table)} WHERE ${inSpans(listSpans(query))} ${ofDimensions(query.where)}`;
  const inner = ['dimension', ...own];
  const from =
    query.step === undefined && isNamed
      ? sql`(SELECT ${list(inner)}, ${sums} FROM ${source} GROUP BY ${list(inner)}) AS summed`
      : sql`(SELECT * FROM ${source}) AS found`;
  return sql<Row>`SELECT ${grouped.length === 0 ? sql`` : sql`${sql.join(named)},`} ${sums} FROM ${from}
    ${isNamed ? sql`JOIN ledger_dimensions ON ledger_dimensions.id = dimension` : sql``}
    ${grouped.length === 0 ? sql`` : sql`GROUP BY ${values} ORDER BY ${values}`}`;
};

/** Sums have no end users and no tags: there would be as many of them as rows. */
const needsRows = ({ by, where, rows }: UsageQuery): boolean =>
  rows === true || ![...by, ...Object.keys(where)].every((name) => isDimension(name));

/** Reads usage: one line for each key with exchanges, sorted by key. */
export async function readUsage(database: LedgerDatabase, query: UsageQuery): Promise<readonly UsageLine[]> {
  const rows = needsRows(query)
    ? await selectRows(database, query, widen(query))
    : (await select(query, 'ledger_usage', [], query.counters ?? counterNames).execute(database)).rows;
  return rows
    .filter(({ exchanges }) => exchanges !== null)
    .map((row) => ({
      ...keyOf(query, row),
      counters: Object.fromEntries(counterNames.map((name) => [name, BigInt(row[name] ?? 0)])) as Record<
        CounterName,
        bigint
      >,
    }));
}

/**
 * Reads the latencies of successful exchanges; none for reports by end user or tag of a longer time.
 * @param quantiles 0.5 is the median
 */
export async function readLatencies(
  database: LedgerDatabase,
  query: UsageQuery,
  quantiles: readonly number[],
): Promise<readonly LatencyLine[]> {
  if (needsRows(query) && query.rows !== true) return [];
  const rows = needsRows(query)
    ? await selectTimes(database, query, widen(query))
    : (await select(query, 'ledger_latencies', ['kind', 'bucket'], ['count']).execute(database)).rows;
  const lines = new Map<
    string,
    { readonly key: UsageKey; readonly kind: LatenciesTable['kind']; readonly buckets: Bucket[] }
  >();
  for (const row of rows) {
    const key = keyOf(query, row);
    const kind = row['kind'] === 'total' ? 'total' : 'first_content';
    const name = JSON.stringify([key, kind]);
    let line = lines.get(name);
    if (line === undefined) lines.set(name, (line = { key, kind, buckets: [] }));
    line.buckets.push({ bucket: Number(row['bucket']), count: Number(row['count']) });
  }
  return [...lines.values()].map(({ key, kind, buckets }) => ({
    ...key,
    kind,
    percentiles: quantiles.map((quantile) => quantileOf(buckets, quantile)),
  }));
}
