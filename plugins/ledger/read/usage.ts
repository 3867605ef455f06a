import { omitUndefined } from '../../../core/api/codec.ts';
import { sql } from '../../../core/api/database.ts';
import { endOf, startOf } from '../periods.ts';
import { counterNames, sketchNames } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { Rows } from './attributed.ts';
import { groupOf, Lines, type Row, type UsageKey, type UsageLine, type UsageQuery } from './lines.ts';
import {
  groupColumn,
  inGroups,
  joinTexts,
  tupleOf,
  type Chunk,
  type Group,
  type Grouping,
  type Groups,
  type Slice,
  type Source,
  type Sql,
} from './source.ts';
import { sumsOf } from './sums.ts';
import { isDimension } from './usage-name.ts';

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
}: UsageQuery): readonly [from: number, to: number] => [startOf(step, from), endOf(step, to)];

/** Sums have no end users and no tags: there would be as many of them as rows. */
const needsRows = ({ by, where, rows }: UsageQuery): boolean =>
  rows === true || ![...by, ...Object.keys(where)].every((name) => isDimension(name));

/** @param since the start of the first line to read */
export async function openSource(database: LedgerDatabase, query: UsageQuery, since = 0): Promise<Source> {
  const [from, to] = widen(query);
  const span = [Math.max(from, since), to] as const;
  return needsRows(query) ? new Rows(database, query, span) : sumsOf(database, query, span);
}

/** Reports of rows have percentiles if their time is short. */
const hasSketches = (query: UsageQuery): boolean =>
  query.quantiles !== undefined && (!needsRows(query) || query.rows === true);

/** The lines of a chunk that are after the last one of a page. */
const afterLine = (query: Grouping, after: UsageKey | undefined, { from, to }: Chunk): Sql => {
  const start = after?.start;
  if (after === undefined || start === undefined || start < from || start >= to) return sql``;
  const later = sql`start > ${start}`;
  if (query.by.length === 0) return sql`WHERE ${later}`;
  const group = inGroups(query.by.map(groupColumn), { after: groupOf(query, after) });
  return sql`WHERE ${later} OR (start = ${start} AND ${sql.join(group)})`;
};

/** The sketches of these lines: of one period, those from the first group to the last one. */
const ofLines = (query: Grouping, keys: readonly UsageKey[]): Sql => {
  const periods = new Map<number | undefined, UsageKey[]>();
  for (const key of keys) {
    const period = periods.get(key.start);
    if (period === undefined) periods.set(key.start, [key]);
    else period.push(key);
  }
  const values = tupleOf(query.by.map(groupColumn));
  const conditions = [...periods].map(([start, period]) => {
    const [first, last] = [period[0], period.at(-1)].map((key) =>
      tupleOf(groupOf(query, key).map((value) => sql`${value}`)),
    );
    return sql.join(
      [
        ...(start === undefined ? [] : [sql`start = ${start}`]),
        ...(query.by.length === 0 ? [] : [sql`${values} >= ${first}`, sql`${values} <= ${last}`]),
      ],
      sql` AND `,
    );
  });
  return query.step === undefined && query.by.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` OR `)}`;
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

  async #select(from: Sql, figures: readonly Sql[], where: Sql, limit?: number): Promise<readonly Row[]> {
    const { until = Infinity } = this.#page;
    if (Date.now() > until) throw new ReportTooLong();
    const { step, by } = this.#query;
    const names = [...(step === undefined ? [] : [sql`start`]), ...by.map(groupColumn)];
    const order =
      names.length === 0
        ? sql`HAVING count(*) > 0`
        : sql`GROUP BY ${sql.join(names)} ORDER BY ${sql.join(names)}
          ${limit === undefined ? sql`` : sql`LIMIT ${sql.lit(limit)}`}`;
    const { rows } = await sql<Row>`SELECT ${sql.join([...names, ...figures])}
      FROM (${from}) AS found ${where} ${order}`.execute(this.#database);
    return rows;
  }

  /** @param limit lines to read at most */
  async #readCounters(chunk: Chunk, groups: Groups, limit?: number): Promise<void> {
    const names = this.#query.counters ?? counterNames;
    const figures = names.map((name) => sql`sum(${sql.ref(name)}) AS ${sql.ref(name)}`);
    const where = afterLine(this.#query, this.#page.after, chunk);
    const rows = await this.#select(this.#source.read(chunk, names, groups), figures, where, limit);
    for (const row of rows) this.lines.addCounters(row, names);
  }

  /** Each statement has lines of its own: no period is in two chunks. */
  async readSteps(): Promise<void> {
    const { limit, after, only } = this.#page;
    for (const chunk of this.#source.chunks) {
      if (after?.start !== undefined && chunk.to <= after.start) continue;
      if (limit !== undefined && this.lines.count >= limit) return;
      await this.#readCounters(chunk, omitUndefined({ only }), limit && limit - this.lines.count);
    }
  }

  /** Adds up the statements for some groups after others, until there are enough lines. */
  async readGroups(): Promise<void> {
    const { limit, after, only } = this.#page;
    const isWhole = limit === undefined || only !== undefined || this.#query.by.length === 0;
    let last = after && groupOf(this.#query, after);
    for (let growth = 1; ; growth *= 4) {
      const to = isWhole ? undefined : await this.#source.nextGroup(last, limit * growth);
      const groups = omitUndefined({ only, after: last, to });
      for (const chunk of this.#source.chunks) await this.#readCounters(chunk, groups);
      if (to === undefined || limit === undefined || this.lines.count >= limit) return;
      last = to;
    }
  }

  /** Adds the sketches of the lines. They are long, so that each statement reads a part of the sums. */
  async readSketches(): Promise<void> {
    const { step } = this.#query;
    const figures = sketchNames.map((name) => sql`${joinTexts(this.#database, sql.ref(name))} AS ${sql.ref(name)}`);
    const groups = omitUndefined({ only: this.#page.only, ...this.#rangeOf() });
    const slices = await this.#source.slices(groups);
    for (const chunk of this.#source.chunks) {
      const keys = this.lines.keys.filter(({ start = chunk.from }) => start >= chunk.from && start < chunk.to);
      if (step !== undefined && keys.length === 0) continue;
      for (const slice of slices) await this.#readSlice(chunk, groups, slice, figures, ofLines(this.#query, keys));
    }
  }

  async #readSlice(chunk: Chunk, groups: Groups, slice: Slice, figures: readonly Sql[], where: Sql): Promise<void> {
    const rows = await this.#select(this.#source.read(chunk, sketchNames, groups, slice), figures, where);
    for (const row of rows) this.lines.addSketches(row);
  }

  /** The groups of the lines of a report without steps. */
  #rangeOf(): Pick<Groups, 'after' | 'to'> {
    const { after } = this.#page;
    const last = this.lines.keys.at(-1);
    if (this.#query.step !== undefined || this.#query.by.length === 0 || last === undefined) return {};
    return omitUndefined({ after: after && groupOf(this.#query, after), to: groupOf(this.#query, last) });
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
  const reader = new Reader(database, query, page, await openSource(database, query, page.after?.start));
  await (query.step === undefined ? reader.readGroups() : reader.readSteps());
  reader.lines.limit(page.limit);
  if (hasSketches(query) && reader.lines.count > 0) await reader.readSketches();
  return reader.lines.close();
}
