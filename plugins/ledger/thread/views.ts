import { dialectOf, sql } from '../../../core/api/database.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { compactSketch } from '../histogram.ts';
import { hoursSince, type Step } from '../periods.ts';
import { counterNames, dimensionNames, sketchNames, viewNames, views, type View } from '../tables.ts';
import { hasViews } from '../read/sums.ts';
import { createInsert, type LedgerDatabase, type Value } from './insert.ts';
import type { WriteLog } from './journal.ts';
import { hasEarlierWriters } from './leases.ts';
import { groupOf } from './dimensions.ts';
import { addToUsage, createSetSketches } from './write-rows.ts';

// Sums of versions without views get them here, a period at a time, while the ledger is used.

const PAUSE_MS = 20;
const DIMENSIONS_PER_PAGE = 5_000;
/** Sketches are longer than this only if they were appended to each other. */
const LONG_SKETCHES = 600;
/** Characters of the long sketches that are read at once. */
const PAGE_SIZE = 2_000_000;
/** Sums of all dimensions that one statement adds to a view. */
const SUMS_OF_A_PART = 20_000;
const steps: readonly Step[] = ['month', 'day', 'hour'];

const setState = (database: LedgerDatabase, value: 0 | 1) =>
  sql`INSERT INTO ledger_state (name, value) VALUES ('views', ${value})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(database);

/**
 * Inserts the rows of `ledger_groups`, whose ids SQL cannot compute, and which of them each combination belongs to:
 * there can be a thousand sums of each combination.
 */
async function insertGroups(database: LedgerDatabase): Promise<void> {
  const dialect = dialectOf(database);
  const insert = createInsert(dialect, 'ledger_groups', ['id', ...dimensionNames], 'ON CONFLICT (id) DO NOTHING');
  const insertOwn = createInsert(
    dialect,
    'ledger_view_groups',
    ['dimension', ...viewNames],
    'ON CONFLICT (dimension) DO NOTHING',
  );
  for (let last = -1; ;) {
    const page = await database
      .selectFrom('ledger_dimensions')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(DIMENSIONS_PER_PAGE)
      .execute();
    const rows = new Map<number, readonly Value[]>();
    const own = page.map((row) => {
      const values = dimensionNames.map((name) => row[name]);
      const groups = viewNames.map((view) => groupOf(view, values));
      for (const group of groups) rows.set(group.id, group.values);
      return [Number(row.id), ...groups.map(({ id }) => id)];
    });
    await insert(
      database,
      [...rows].toSorted(([one], [other]) => one - other).map(([, values]) => values),
    );
    await insertOwn(database, own);
    const end = page.at(-1);
    if (end === undefined) break;
    last = Number(end.id);
  }
  // Postgres would read the whole table for each part if it did not know its size.
  if (dialect.name === 'postgres') await sql`ANALYZE ledger_view_groups, ledger_groups`.execute(database);
}

/** Appends counts by bucket of earlier versions to the sketches, and deletes them. */
async function carryCounts(transaction: LedgerDatabase, step: Step, start: number): Promise<void> {
  const join = dialectOf(transaction).name === 'sqlite' ? sql`group_concat` : sql`string_agg`;
  const sketchOf = (kind: string) =>
    sql`${join}(CASE WHEN kind = ${sql.lit(kind)} THEN bucket || ':' || count || ' ' ELSE '' END, '')`;
  await sql`UPDATE ledger_usage
    SET total_times = total_times || counts.total, first_times = first_times || counts.first
    FROM (SELECT dimension AS counted, ${sketchOf('total')} AS total, ${sketchOf('first_content')} AS first
      FROM ledger_latencies WHERE step = ${step} AND start = ${start} GROUP BY dimension) AS counts
    WHERE step = ${step} AND start = ${start} AND dimension = counted`.execute(transaction);
  await sql`DELETE FROM ledger_latencies WHERE step = ${step} AND start = ${start}`.execute(transaction);
}

/** Writes long sketches of a period again, with one part for each bucket. */
async function compact(transaction: LedgerDatabase, step: string, start: number): Promise<void> {
  const size = sql`length(total_times) + length(first_times)`;
  const longest = sql<{ most: number | null }>`SELECT max(${size}) AS most FROM ledger_usage
    WHERE step = ${step} AND start = ${start}`;
  const most = Number((await longest.execute(transaction)).rows[0]?.most ?? 0);
  const limit = Math.max(1, Math.floor(PAGE_SIZE / Math.max(1, most)));
  if (most <= LONG_SKETCHES) return;
  for (let last = -1; ;) {
    const { rows } = await sql<{ dimension: number; total_times: string; first_times: string }>`
      SELECT dimension, total_times, first_times FROM ledger_usage
      WHERE step = ${step} AND start = ${start} AND dimension > ${last} AND ${size} > ${sql.lit(LONG_SKETCHES)}
      ORDER BY dimension LIMIT ${sql.lit(limit)}`.execute(transaction);
    await createSetSketches(transaction)(
      transaction,
      rows.map(({ dimension, total_times, first_times }) => ({
        step,
        start,
        dimension,
        sketches: [compactSketch(total_times), compactSketch(first_times)],
      })),
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    last = Number(end.dimension);
  }
}

/** The sums of a view from those of all dimensions with an id after one, up to another. */
async function addToView(
  transaction: LedgerDatabase,
  [view, step, start]: readonly [View, Step, number],
  [above, to]: readonly [number, number],
): Promise<void> {
  const join = dialectOf(transaction).name === 'sqlite' ? sql`group_concat` : sql`string_agg`;
  const known: readonly string[] = views[view];
  const same = dimensionNames.map((name) =>
    known.includes(name)
      ? sql`${sql.ref(`groups.${name}`)} = ${sql.ref(`named.${name}`)}`
      : sql`${sql.ref(`groups.${name}`)} = ''`,
  );
  // Looked up where a combination came after they were inserted. Not a join: SQLite would read all sums for each group.
  const group = sql`coalesce(own.${sql.ref(view)}, (SELECT groups.id
    FROM ledger_dimensions AS named JOIN ledger_groups AS groups ON ${sql.join(same, sql` AND `)}
    WHERE named.id = ledger_usage.dimension))`;
  const names = sql.join([...counterNames, ...sketchNames].map((name) => sql.ref(name)));
  const sums = [
    ...counterNames.map((name) => sql`sum(${sql.ref(name)})`),
    ...sketchNames.map((name) => sql`${join}(${sql.ref(name)}, '')`),
  ];
  await sql`INSERT INTO ledger_usage (step, start, dimension, ${names})
    SELECT ${sql.lit(`${view}/${step}`)}, ${start}, own_group, ${sql.join(sums)}
    FROM (SELECT ${group} AS own_group, ${names} FROM ledger_usage
      LEFT JOIN ledger_view_groups AS own ON own.dimension = ledger_usage.dimension
      WHERE step = ${step} AND start = ${start}
        AND ledger_usage.dimension > ${above} AND ledger_usage.dimension <= ${to}) AS found
    GROUP BY own_group ${sql.raw(addToUsage)}`.execute(transaction);
}

/** Reads a part of the sums at a time: their sketches are appended to each other, and written again. */
async function buildView(transaction: LedgerDatabase, view: View, step: Step, start: number): Promise<void> {
  const own = `${view}/${step}`;
  await sql`DELETE FROM ledger_usage WHERE step = ${own} AND start = ${start}`.execute(transaction);
  for (let above = -1; above < Number.MAX_SAFE_INTEGER;) {
    const next = sql<{ dimension: number }>`SELECT dimension FROM ledger_usage
      WHERE step = ${step} AND start = ${start} AND dimension > ${above}
      ORDER BY dimension LIMIT 1 OFFSET ${sql.lit(SUMS_OF_A_PART - 1)}`;
    const to = Number((await next.execute(transaction)).rows[0]?.dimension ?? Number.MAX_SAFE_INTEGER);
    await addToView(transaction, [view, step, start], [above, to]);
    await compact(transaction, own, start);
    above = to;
  }
}

/** Other writers wait for this transaction, since they add to the same sums. */
const buildPeriod = (database: LedgerDatabase, step: Step, start: number): Promise<void> =>
  database.transaction().execute(async (transaction) => {
    if (dialectOf(database).name === 'postgres')
      await sql`LOCK TABLE ledger_usage, ledger_latencies IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
    await carryCounts(transaction, step, start);
    for (const view of viewNames) await buildView(transaction, view, step, start);
  });

/** Reads the starts of periods by the key of the table: there are many sums in each. */
async function nextPeriod(database: LedgerDatabase, step: Step, after: number): Promise<number | undefined> {
  const { rows } = await sql<{ start: number | null }>`SELECT min(start) AS start FROM ledger_usage
    WHERE step = ${step} AND start > ${after}`.execute(database);
  const start = rows[0]?.start;
  return start === null || start === undefined ? undefined : Number(start);
}

/**
 * Builds the sums of views from the others, and sketches from the counts of earlier versions, once no gateway of such a
 * version writes any more; until then reports read the sums of all dimensions. It is safe in several processes: a
 * period that was built twice is the same.
 */
export async function buildViews(
  database: LedgerDatabase,
  now: number,
  log: WriteLog,
  stopping?: AbortSignal,
): Promise<void> {
  const isReady = await hasViews(database);
  if (await hasEarlierWriters(database)) {
    if (isReady) await setState(database, 0);
    return;
  }
  if (isReady) return;
  await insertGroups(database);
  const startedAt = performance.now();
  let periods = 0;
  for (const step of steps) {
    // Older hours are deleted.
    let start = await nextPeriod(database, step, step === 'hour' ? hoursSince(now) - 1 : -1);
    for (; start !== undefined; start = await nextPeriod(database, step, start)) {
      await buildPeriod(database, step, start);
      periods += 1;
      if (stopping?.aborted === true) return;
      await delay(PAUSE_MS);
    }
  }
  if (await hasEarlierWriters(database)) return;
  await setState(database, 1);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (periods > 0)
    log('info', { periods, seconds }, 'built the sums that reports read; reports are faster from now on');
}
