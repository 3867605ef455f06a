import { sql } from '../../../core/api/database.ts';
import type { LedgerTable } from '../tables.ts';
import type { LedgerDatabase } from '../thread/insert.ts';
import { all, planSearch, type Stream } from './search-plan.ts';
import type { Place, SearchQuery, SearchResult } from './search-query.ts';

/** Rows that one search examines at most, by their weight. A page then ends early, and the next one continues there. */
const MAX_EXAMINED = 20_000;
/** Each step examines so many times the rows of the step before: most searches end with the first one. */
const GROWTH = 8;
/** Rows that are examined by time before the dimensions are searched: enough for what one row in a hundred matches. */
const FIRST_LOOK = 6_000;
const STREAMS_PER_STATEMENT = 100;

/** A row that was examined. Each stream lists those that match, and the last one. */
interface Examined extends Place {
  readonly stream: number;
  /** Its number in the stream, from 1. */
  readonly number: number;
  readonly matches: number;
}

const isNewer = (one: Place, other: Place): boolean => (one.at === other.at ? one.id > other.id : one.at > other.at);
const newestFirst = (one: Place, other: Place): number => (isNewer(one, other) ? -1 : 1);

const selectStream = (
  stream: Stream,
  index: number,
  { from = 0, to }: SearchQuery,
  after: Place | undefined,
  depth: number,
) => {
  const time = sql.ref(stream.time);
  const conditions = [
    ...stream.conditions,
    sql`${time} >= ${from}`,
    ...(to === undefined ? [] : [sql`${time} < ${to}`]),
    ...(after === undefined ? [] : [sql`${time} <= ${after.at} AND (${time} < ${after.at} OR id < ${after.id})`]),
  ];
  const matches = sql`CASE WHEN ${all(stream.residual)} THEN 1 ELSE 0 END AS matches`;
  const examined = sql`SELECT id, ${time} AS at, ${matches} FROM ledger WHERE ${all(conditions)}
    ORDER BY ${time} DESC, id DESC LIMIT ${sql.lit(depth)}`;
  const numbered = sql`SELECT id, at, matches, row_number() OVER (ORDER BY at DESC, id DESC) AS number
    FROM (${examined}) AS examined`;
  return sql<Examined>`SELECT ${sql.lit(index)} AS stream, id, at, matches, number FROM (${numbered}) AS numbered
    WHERE matches = 1 OR number = ${sql.lit(depth)}`;
};

/** The statements that examine the next rows of each stream. */
export const selectStreams = (
  streams: readonly Stream[],
  query: SearchQuery,
  after: Place | undefined,
  depth: number,
) => {
  const selects = streams.map((stream, index) => selectStream(stream, index, query, after, depth));
  return Array.from({ length: Math.ceil(selects.length / STREAMS_PER_STATEMENT) }, (_, index) => {
    const some = selects.slice(index * STREAMS_PER_STATEMENT, (index + 1) * STREAMS_PER_STATEMENT);
    return sql<Examined>`${sql.join(some, sql` UNION ALL `)}`;
  });
};

const load = async (database: LedgerDatabase, places: readonly Place[]): Promise<readonly LedgerTable[]> => {
  if (places.length === 0) return [];
  const ids = places.map(({ id }) => id);
  const rows = await database.selectFrom('ledger').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** @returns what the next rows of each stream have, and where they end if there are more */
const examine = async (
  database: LedgerDatabase,
  streams: readonly Stream[],
  query: SearchQuery,
  after: Place | undefined,
  depth: number,
): Promise<{ readonly found: readonly Place[]; readonly end: Place | undefined }> => {
  const rows: Examined[] = [];
  for (const select of selectStreams(streams, query, after, depth)) {
    for (const row of (await select.execute(database)).rows)
      rows.push({ ...row, at: Number(row.at), number: Number(row.number), matches: Number(row.matches) });
  }
  rows.sort(newestFirst);
  // Beyond the last row of a stream that has more, rows of that stream may be missing.
  const end = rows.find(({ number }) => number === depth);
  const isCertain = (row: Place): boolean => end === undefined || !isNewer(end, row);
  return { found: rows.filter((row) => row.matches === 1 && isCertain(row)), end };
};

/**
 * Finds requests, the newest first. Each index that is read has its rows in the order of the search, so that a page
 * costs the same however long ago its rows are. What no index decides is evaluated for a bounded number of rows.
 */
export async function search(
  database: LedgerDatabase,
  query: SearchQuery,
  maxExamined = MAX_EXAMINED,
): Promise<SearchResult> {
  const { limit } = query;
  const toResult = async (found: readonly Place[], next: Place | undefined): Promise<SearchResult> => {
    const last = found.length > limit ? found[limit - 1] : next;
    const rows = await load(database, found.slice(0, limit));
    return last === undefined ? { rows } : { rows, next: { at: last.at, id: last.id } };
  };

  const { byTime, streams } = await planSearch(database, query);
  if (byTime !== undefined) {
    const depth = Math.max(limit + 1, Math.min(FIRST_LOOK, maxExamined));
    const { found } = await examine(database, byTime, query, query.after, depth);
    if (found.length > limit) return toResult(found, undefined);
  }
  const found: Place[] = [];
  const weight = streams.reduce((sum, stream) => sum + stream.weight, 0);
  let { after } = query;
  let depth = limit + 1;
  for (let examined = 0; ;) {
    const step = await examine(database, streams, query, after, depth);
    found.push(...step.found);
    examined += weight * depth;
    after = step.end;
    if (found.length > limit || after === undefined || examined >= maxExamined) return toResult(found, after);
    depth = Math.max(limit + 1, Math.min(depth * GROWTH, Math.ceil((maxExamined - examined) / weight)));
  }
}

export const findRequest = (
  database: LedgerDatabase,
  { id }: { readonly id: string },
): Promise<LedgerTable | undefined> =>
  database.selectFrom('ledger').selectAll().where('id', '=', id).executeTakeFirst();
