import { omitUndefined } from '../../../core/api/codec.ts';
import { sql } from '../../../core/api/database.ts';
import { counterNames, type CounterName } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { groupColumn, type Group, type Measure, type Sql } from './source.ts';
import type { UsageKey, UsageLine, UsageQuery } from './lines.ts';
import { openSource, readUsage, ReportTooLong } from './usage.ts';

/** The largest groups by one measure. */
export interface Top {
  readonly count: number;
  readonly measure: Measure;
}

/** Its columns `g_<name>` are the names of a group. */
type RankedRow = Readonly<Record<`g_${string}`, string> & Record<'measure' | 'total', number | bigint>>;

export interface ReportQuery extends Omit<UsageQuery, 'counters'> {
  /** Lines of one page, in the order of their keys. */
  readonly limit: number;
  /** The last line of the page before. */
  readonly after?: UsageKey;
  /** Only the largest groups, the largest first, and what is left of the others. */
  readonly top?: Top;
  /** Unix milliseconds: a report that takes longer is not completed. */
  readonly until: number;
}

export interface Report {
  /** undefined: there was no usage. */
  readonly totals?: UsageLine;
  readonly lines: readonly UsageLine[];
  /** With `top`: all other groups as one, or one for each period. */
  readonly other: readonly UsageLine[];
  /** With `top`: the number of groups. */
  readonly groups?: number;
  /** The last line of this page, if there are more. */
  readonly next?: UsageKey;
}

/** Counters to read for each line. One with a total of 0 is 0 in every line, except `cache_saved`, which has a sign. */
const countersToRead = ({ counters }: UsageLine): readonly CounterName[] =>
  counterNames.filter((name) => name === 'exchanges' || name === 'cache_saved' || counters[name] !== 0n);

/** Groups of a bound that are examined: so many for each line of the report, and if they are too few, up to so many. */
const CANDIDATES = { first: 20, most: 4_000 };

/**
 * The largest groups of those that a bound has: all others have less than the least of them.
 * @param bounds the first of the bound, the largest first
 * @param rank the largest of these groups
 * @returns undefined when too many groups can be among the largest
 */
async function rankWithin(
  bounds: readonly RankedRow[],
  count: number,
  rank: (only: readonly RankedRow[]) => Promise<readonly RankedRow[]>,
): Promise<readonly RankedRow[] | undefined> {
  const first = bounds.slice(0, count * CANDIDATES.first);
  if (first.length === 0) return [];
  const largest = await rank(first);
  const least = largest[count - 1]?.measure ?? -1;
  const candidates = bounds.filter(({ measure }) => measure >= least);
  if (candidates.length === CANDIDATES.most) return undefined;
  return candidates.length <= first.length ? largest : rank(candidates);
}

/** The names of the largest groups, and the number of all. */
async function rankGroups(
  database: LedgerDatabase,
  query: UsageQuery,
  { count, measure }: Top,
): Promise<{ readonly groups: readonly Group[]; readonly all: number }> {
  const { step: _step, ...whole } = query;
  const source = await openSource(database, whole);
  const names = sql.join(query.by.map(groupColumn));
  const read = async (ranked: Sql, limit: number): Promise<readonly RankedRow[]> => {
    const { rows } = await sql<RankedRow>`SELECT ${names}, sum(measure) AS measure, count(*) OVER () AS total
      FROM (${ranked}) AS ranked
      GROUP BY ${names} ORDER BY measure DESC, ${names} LIMIT ${sql.lit(limit)}`.execute(database);
    return rows;
  };
  const groupOf = (row: RankedRow): Group => query.by.map((name) => String(row[`g_${name}`]));
  const rank = (only: readonly RankedRow[]): Promise<readonly RankedRow[]> =>
    read(source.rank(measure, { only: only.map(groupOf) }), count);
  const bound = source.bound(measure);
  const found = bound && (await rankWithin(await read(bound.rank, CANDIDATES.most), count, rank));
  if (bound === undefined || found === undefined) {
    const rows = await read(source.rank(measure, {}), count);
    return { groups: rows.map(groupOf), all: Number(rows[0]?.total ?? 0) };
  }
  const { rows } = await sql<{ readonly total: number }>`${bound.count}`.execute(database);
  return { groups: found.map(groupOf), all: Number(rows[0]?.total) };
}

const isEmpty = ({ counters }: UsageLine): boolean => counterNames.every((name) => counters[name] === 0n);

/** What is left of all usage without some lines. */
const subtract = (all: readonly UsageLine[], lines: readonly UsageLine[]): readonly UsageLine[] => {
  const left = new Map(all.map(({ start, counters }) => [start, { ...counters }]));
  for (const { start, counters } of lines) {
    const rest = left.get(start);
    if (rest !== undefined) for (const name of counterNames) rest[name] -= counters[name];
  }
  const other = [...left].map(([start, counters]): UsageLine => omitUndefined({ start, dimensions: {}, counters }));
  return other.filter((line) => !isEmpty(line));
};

async function readTop(
  database: LedgerDatabase,
  query: UsageQuery,
  totals: UsageLine,
  { top, until }: Required<Pick<ReportQuery, 'top' | 'until'>>,
): Promise<Omit<Report, 'totals'>> {
  const { groups, all } = await rankGroups(database, query, top);
  const lines = await readUsage(database, query, { only: groups, until });
  const { step, quantiles: _quantiles, ...whole } = query;
  const sums = step === undefined ? [totals] : await readUsage(database, { ...whole, step, by: [] }, { until });
  const rank = new Map(groups.map((group, index) => [JSON.stringify(group), index]));
  const rankOf = ({ dimensions }: UsageKey): number =>
    rank.get(JSON.stringify(query.by.map((name) => dimensions[name]))) ?? 0;
  const byRank = (one: UsageKey, other: UsageKey): number =>
    (one.start ?? 0) - (other.start ?? 0) || rankOf(one) - rankOf(other);
  return { lines: lines.toSorted(byRank), other: all > groups.length ? subtract(sums, lines) : [], groups: all };
}

async function readPage(
  database: LedgerDatabase,
  query: UsageQuery,
  { limit, after, until }: Pick<ReportQuery, 'limit' | 'after' | 'until'>,
): Promise<Omit<Report, 'totals'>> {
  const found = await readUsage(database, query, omitUndefined({ limit: limit + 1, after, until }));
  const lines = found.slice(0, limit);
  const last = found.length > limit ? lines.at(-1) : undefined;
  if (last === undefined) return { lines, other: [] };
  return { lines, other: [], next: omitUndefined({ start: last.start, dimensions: last.dimensions }) };
}

/**
 * Reads a report: totals, and the lines of one page or of the largest groups.
 * @returns undefined when it takes too long
 */
export async function readReport(database: LedgerDatabase, query: ReportQuery): Promise<Report | undefined> {
  const { limit, after, top, until, ...usage } = query;
  try {
    const { step, ...whole } = usage;
    const [totals] = await readUsage(database, { ...whole, by: [] }, { until });
    if (totals === undefined) return { lines: [], other: [] };
    if (step === undefined && usage.by.length === 0) return { totals, lines: [], other: [] };
    const counted = { ...usage, counters: countersToRead(totals) };
    const parts =
      top === undefined
        ? await readPage(database, counted, omitUndefined({ limit, after, until }))
        : await readTop(database, counted, totals, { top, until });
    return { totals, ...parts };
  } catch (error) {
    if (error instanceof ReportTooLong) return undefined;
    throw error;
  }
}
