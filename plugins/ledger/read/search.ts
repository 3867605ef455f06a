import { sql } from '../../../core/api/database.ts';
import type { LedgerTable } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { all, conditionsOf, planSearch, type Stream, type Streams } from './search-plan.ts';
import type { SearchCursor, SearchQuery, SearchResult } from './search-query.ts';

export const searchLimits = {
  /** Rows that one search examines, by their weight. A page then ends early, and the next one continues there. */
  examined: 20_000,
  /** Combinations of dimensions that are examined at the same time. */
  streams: 50,
};
/**
 * Rows of the first step, for each row of the page. Of several streams, those beyond the end of the one that ends first
 * are examined in vain; a second step costs more than they do.
 */
const FIRST = { one: 2, several: 6 };
/** Each step examines so many times the rows of the step before: most searches end with the first one. */
const GROWTH = 8;
/** Sorts after the ids of requests. */
const AFTER_ALL_IDS = '~';
const STREAMS_PER_STATEMENT = 100;

/** A row that was examined. Each stream lists those that match, and the last one. */
interface Examined extends SearchCursor {
  readonly stream: number;
  /** Its number in the stream, from 1. */
  readonly number: number;
  readonly matches: number;
}

const isNewer = (one: SearchCursor, other: SearchCursor): boolean =>
  one.at === other.at ? one.id > other.id : one.at > other.at;
const newestFirst = (one: SearchCursor, other: SearchCursor): number => (isNewer(one, other) ? -1 : 1);

const selectStream = (
  stream: Stream,
  index: number,
  query: SearchQuery,
  after: SearchCursor | undefined,
  depth: number,
) => {
  const time = sql.ref(stream.time);
  const matches = sql`CASE WHEN ${all(stream.residual)} THEN 1 ELSE 0 END AS matches`;
  const examined = sql`SELECT id, ${time} AS at, ${matches} FROM ledger WHERE ${conditionsOf(stream, query, after)}
    ORDER BY ${stream.order ?? sql``} ${time} DESC, id DESC LIMIT ${sql.lit(depth)}`;
  const numbered = sql`SELECT id, at, matches, row_number() OVER (ORDER BY at DESC, id DESC) AS number
    FROM (${examined}) AS examined`;
  return sql<Examined>`SELECT ${sql.lit(index)} AS stream, id, at, matches, number FROM (${numbered}) AS numbered
    WHERE matches = 1 OR number = ${sql.lit(depth)}`;
};

/** The statements that examine the next rows of each stream. */
export const selectStreams = (
  streams: readonly Stream[],
  query: SearchQuery,
  after: SearchCursor | undefined,
  depth: number,
) => {
  const selects = streams.map((stream, index) => selectStream(stream, index, query, after, depth));
  return Array.from({ length: Math.ceil(selects.length / STREAMS_PER_STATEMENT) }, (_, index) => {
    const some = selects.slice(index * STREAMS_PER_STATEMENT, (index + 1) * STREAMS_PER_STATEMENT);
    return sql<Examined>`${sql.join(some, sql` UNION ALL `)}`;
  });
};

const load = async (database: LedgerDatabase, positions: readonly SearchCursor[]): Promise<readonly LedgerTable[]> => {
  if (positions.length === 0) return [];
  const ids = positions.map(({ id }) => id);
  const rows = await database.selectFrom('ledger').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** What the next rows of the streams have, and where they end if there are more. */
interface Step {
  readonly found: readonly SearchCursor[];
  readonly end: SearchCursor | undefined;
}

const examine = async (
  database: LedgerDatabase,
  { streams, beyond = -1 }: Streams,
  query: SearchQuery,
  after: SearchCursor | undefined,
  depth: number,
): Promise<Step> => {
  const rows: Examined[] = [];
  for (const select of selectStreams(streams, query, after, depth)) {
    for (const row of (await select.execute(database)).rows)
      rows.push({ ...row, at: Number(row.at), number: Number(row.number), matches: Number(row.matches) });
  }
  rows.sort(newestFirst);
  // Beyond the last row of a stream that has more, and beyond the first of another stream, rows may be missing.
  const last = rows.find(({ number }) => number === depth);
  const end = beyond >= (last?.at ?? 0) ? { at: beyond, id: AFTER_ALL_IDS } : last;
  const isCertain = (row: SearchCursor): boolean => end === undefined || !isNewer(end, row);
  return { found: rows.filter((row) => row.matches === 1 && isCertain(row)), end };
};

/**
 * Finds requests, the newest first. Each index that is read has its rows in the order of the search, so that a page
 * costs the same however long ago its rows are. What no index decides is evaluated for a bounded number of rows.
 */
export async function search(
  database: LedgerDatabase,
  query: SearchQuery,
  limits = searchLimits,
): Promise<SearchResult> {
  const { limit } = query;
  const found: SearchCursor[] = [];
  const findStreams = await planSearch(database, query, limits.streams);
  let { after } = query;
  for (let [examined, growth] = [0, 1]; ; growth *= GROWTH) {
    const next = await findStreams(after);
    const wanted = (limit + 1) * growth * (next.streams.length > 2 ? FIRST.several : FIRST.one);
    const weight = next.streams.reduce((sum, stream) => sum + stream.weight, 0);
    // Rows of one page are spread over the streams, but all of them can be in one.
    const depth = Math.ceil(Math.min(wanted / (next.streams.length - 1 || 1), (limits.examined - examined) / weight));
    const step = await examine(database, next, query, after, depth);
    found.push(...step.found);
    examined += weight * depth;
    after = step.end;
    if (found.length > limit || after === undefined || examined >= limits.examined) break;
  }
  const last = found.length > limit ? found[limit - 1] : after;
  const rows = await load(database, found.slice(0, limit));
  return last === undefined ? { rows } : { rows, next: { at: last.at, id: last.id } };
}

export const findRequest = (
  database: LedgerDatabase,
  { id }: { readonly id: string },
): Promise<LedgerTable | undefined> =>
  database.selectFrom('ledger').selectAll().where('id', '=', id).executeTakeFirst();
