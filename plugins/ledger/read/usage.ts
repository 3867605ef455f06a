import { omitUndefined } from '../../../core/api/codec.ts';
import { dialectOf, sql } from '../../../core/api/database.ts';
import { addSketch, quantileOf, type Sketch } from '../histogram.ts';
import { nextStart, startOf } from '../periods.ts';
import { counterNames, sketchNames, type CounterName, type SketchName } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { Rows } from './attributed.ts';
import {
  groupColumn,
  inGroups,
  type Chunk,
  type Columns,
  type Group,
  type Grouping,
  type Groups,
  type Source,
  type Sql,
} from './source.ts';
import { sumsOf } from './sums.ts';
import { isDimension, type UsageName } from './usage-name.ts';

export interface UsageQuery extends Grouping {
  /** Unix milliseconds; widened to whole hours, with `rows` to whole minutes, or to whole periods of `step`. */
  readonly from: number;
  readonly to: number;
  /** Reads the rows, for times that are shorter than those of the sums. */
  readonly rows?: boolean;
  /** The counters to sum up; others are 0. Fewer are faster, since SQLite sorts all of them. Absent: all. */
  readonly counters?: readonly CounterName[];
  /** Percentiles to read: 0.5 is the median. Absent: none. */
  readonly quantiles?: readonly number[];
}

/** Identifies a line. */
export interface UsageKey {
  readonly start?: number;
  readonly dimensions: Partial<Record<UsageName, string>>;
}
export interface UsageLine extends UsageKey {
  /** Money in nano-dollars. */
  readonly counters: Readonly<Record<CounterName, bigint>>;
  /** Milliseconds of successful exchanges, in the order of `quantiles`; absent: they were not asked for. */
  readonly percentiles?: Readonly<Record<SketchName, readonly (number | undefined)[]>>;
}

/** Lines to read. */
export interface Page {
  /** At most so many lines, in the order of their keys. */
  readonly limit?: number;
  /** The lines after this one. */
  readonly after?: UsageKey;
  /** The groups to read. */
  readonly only?: readonly Group[];
  /** Unix milliseconds. @see ReportTooLong */
  readonly until?: number;
}

/** A report was not complete in its time. */
export class ReportTooLong extends Error {}

const widen = ({
  from,
  to,
  rows,
  step = rows === true ? 'minute' : 'hour',
}: UsageQuery): readonly [from: number, to: number] => {
  const last = startOf(step, to);
  return [startOf(step, from), last === to ? to : nextStart(step, last)];
};

/** Sums have no end users and no tags: there would be as many of them as rows. */
export const needsRows = ({ by, where, rows }: UsageQuery): boolean =>
  rows === true || ![...by, ...Object.keys(where)].every((name) => isDimension(name));

export const openSource = async (database: LedgerDatabase, query: UsageQuery): Promise<Source> =>
  needsRows(query) ? new Rows(database, query, widen(query)) : sumsOf(database, query, widen(query));

/** Reports of rows have percentiles if their time is short. */
const columnsOf = (query: UsageQuery): Columns => ({
  counters: query.counters ?? counterNames,
  sketches: query.quantiles === undefined || (needsRows(query) && query.rows !== true) ? [] : sketchNames,
});

type Row = Readonly<Record<string, string | number | bigint | null>>;

/** A line whose figures are still added up. */
interface OpenLine {
  readonly key: UsageKey;
  readonly counters: Record<CounterName, bigint>;
  readonly sketches: Readonly<Record<SketchName, Sketch>>;
}

const groupOf = ({ by }: Grouping, { dimensions }: UsageKey): Group => by.map((name) => dimensions[name] ?? '');
const compareTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
const compareKeys = (query: Grouping, one: UsageKey, other: UsageKey): number => {
  if (one.start !== other.start) return (one.start ?? 0) - (other.start ?? 0);
  const second = groupOf(query, other);
  const differences = groupOf(query, one).map((value, index) => compareTexts(value, second[index] ?? ''));
  return differences.find((difference) => difference !== 0) ?? 0;
};

/** Adds up the rows of several statements. */
class Lines {
  readonly #query: UsageQuery;
  readonly #columns: Columns;
  readonly #open = new Map<string, OpenLine>();

  constructor(query: UsageQuery) {
    this.#query = query;
    this.#columns = columnsOf(query);
  }

  get count(): number {
    return this.#open.size;
  }

  add(row: Row): void {
    const { step, by } = this.#query;
    const name = JSON.stringify([step && row['start'], ...by.map((each) => row[`g_${each}`])]);
    let line = this.#open.get(name);
    if (line === undefined) this.#open.set(name, (line = this.#create(row)));
    for (const counter of this.#columns.counters) line.counters[counter] += BigInt(row[counter] ?? 0);
    for (const sketch of this.#columns.sketches) addSketch(line.sketches[sketch], String(row[sketch] ?? ''));
  }

  #create(row: Row): OpenLine {
    const { step, by } = this.#query;
    return {
      key: omitUndefined({
        start: step === undefined ? undefined : Number(row['start']),
        dimensions: Object.fromEntries(by.map((name) => [name, String(row[`g_${name}`])])),
      }),
      counters: Object.fromEntries(counterNames.map((name) => [name, 0n])) as Record<CounterName, bigint>,
      sketches: { total_times: new Map(), first_times: new Map() },
    };
  }

  close(limit = Infinity): readonly UsageLine[] {
    const { quantiles } = this.#query;
    const sorted = [...this.#open.values()].toSorted((one, other) => compareKeys(this.#query, one.key, other.key));
    return sorted.slice(0, limit).map(({ key, counters, sketches }) => ({
      ...key,
      counters,
      ...(quantiles === undefined
        ? {}
        : {
            percentiles: {
              total_times: quantiles.map((quantile) => quantileOf(sketches.total_times, quantile)),
              first_times: quantiles.map((quantile) => quantileOf(sketches.first_times, quantile)),
            },
          }),
    }));
  }
}

/** The lines of a chunk that are after the last one of a page. */
const afterLine = (query: Grouping, after: UsageKey | undefined, { from, to }: Chunk): Sql => {
  const start = after?.start;
  if (after === undefined || start === undefined || start < from || start >= to) return sql``;
  const later = sql`start > ${start}`;
  if (query.by.length === 0) return sql`WHERE ${later}`;
  const group = inGroups(query.by.map(groupColumn), { after: groupOf(query, after) });
  return sql`WHERE ${later} OR (start = ${start} AND ${sql.join(group)})`;
};

/** Runs the statements of a report, within its time. */
class Reader {
  readonly lines: Lines;
  readonly #database: LedgerDatabase;
  readonly #query: UsageQuery;
  readonly #page: Page;
  readonly #source: Source;

  constructor(database: LedgerDatabase, query: UsageQuery, page: Page, source: Source) {
    this.#database = database;
    this.#query = query;
    this.#page = page;
    this.#source = source;
    this.lines = new Lines(query);
  }

  /** @param limit lines to read at most */
  async #read(chunk: Chunk, groups: Groups, limit?: number): Promise<void> {
    const { until = Infinity, after } = this.#page;
    if (Date.now() > until) throw new ReportTooLong();
    const { step, by } = this.#query;
    const columns = columnsOf(this.#query);
    const names = [...(step === undefined ? [] : [sql`start`]), ...by.map(groupColumn)];
    const isSqlite = dialectOf(this.#database).name === 'sqlite';
    const figures = [
      ...columns.counters.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`),
      ...columns.sketches.map((name) =>
        isSqlite
          ? sql`group_concat(${sql.ref(name)}, '') AS ${sql.ref(name)}`
          : sql`string_agg(${sql.ref(name)}, '') AS ${sql.ref(name)}`,
      ),
    ];
    const order =
      names.length === 0
        ? sql`HAVING count(*) > 0`
        : sql`GROUP BY ${sql.join(names)} ORDER BY ${sql.join(names)}
          ${limit === undefined ? sql`` : sql`LIMIT ${sql.lit(limit)}`}`;
    const { rows } = await sql<Row>`SELECT ${sql.join([...names, ...figures])}
      FROM (${this.#source.read(chunk, columns, groups)}) AS found
      ${afterLine(this.#query, after, chunk)} ${order}`.execute(this.#database);
    for (const row of rows) this.lines.add(row);
  }

  /** Each statement has lines of its own: no period is in two chunks. */
  async readSteps(): Promise<void> {
    const { limit, after, only } = this.#page;
    for (const chunk of this.#source.chunks) {
      if (after?.start !== undefined && chunk.to <= after.start) continue;
      if (limit !== undefined && this.lines.count >= limit) return;
      await this.#read(chunk, omitUndefined({ only }), limit && limit - this.lines.count);
    }
  }

  /** Adds up the statements for some groups after others, until there are enough lines. */
  async readGroups(): Promise<void> {
    const { limit, after, only } = this.#page;
    const isWhole = limit === undefined || only !== undefined || this.#query.by.length === 0;
    let last = after && groupOf(this.#query, after);
    for (let growth = 1; ; growth *= 4) {
      const to = isWhole ? undefined : await this.#source.nextGroup(last, limit * growth);
      for (const chunk of this.#source.chunks) await this.#read(chunk, omitUndefined({ only, after: last, to }));
      if (to === undefined || limit === undefined || this.lines.count >= limit) return;
      last = to;
    }
  }
}

/**
 * Reads usage: one line for each key with exchanges, sorted by key.
 * @throws ReportTooLong
 */
export async function readUsage(
  database: LedgerDatabase,
  query: UsageQuery,
  page: Page = {},
): Promise<readonly UsageLine[]> {
  if (page.only?.length === 0) return [];
  const reader = new Reader(database, query, page, await openSource(database, query));
  await (query.step === undefined ? reader.readGroups() : reader.readSteps());
  return reader.lines.close(page.limit);
}
