import { setTimeout as delay } from 'node:timers/promises';
import { dialectOf, sql } from '../../../core/api/database.ts';
import { compactSketch } from '../histogram.ts';
import { hoursSince, nextStart, type Step } from '../periods.ts';
import { counterNames, dimensionNames, sketchNames, viewNames, views, type View } from '../tables.ts';
import { joinTexts } from '../read/source.ts';
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
const SUMS_OF_A_PART = 50_000;
const steps: readonly Step[] = ['month', 'day', 'hour'];

/** Consecutive periods of one length: several with few sums, or one. */
interface Periods {
  readonly step: Step;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}
/** Where a sum is in the order of its table. */
interface Position {
  readonly start: number;
  readonly dimension: number;
}
const within = (step: string, { from, to }: Periods) => sql`step = ${step} AND start >= ${from} AND start < ${to}`;

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
async function carryCounts(transaction: LedgerDatabase, periods: Periods): Promise<void> {
  const sketchOf = (kind: string) =>
    joinTexts(transaction, sql`CASE WHEN kind = ${sql.lit(kind)} THEN bucket || ':' || count || ' ' ELSE '' END`);
  await sql`UPDATE ledger_usage
    SET total_times = total_times || counts.total, first_times = first_times || counts.first
    FROM (SELECT start AS period, dimension AS counted, ${sketchOf('total')} AS total,
        ${sketchOf('first_content')} AS first
      FROM ledger_latencies WHERE ${within(periods.step, periods)} GROUP BY start, dimension) AS counts
    WHERE step = ${periods.step} AND start = period AND dimension = counted`.execute(transaction);
  await sql`DELETE FROM ledger_latencies WHERE ${within(periods.step, periods)}`.execute(transaction);
}

/** Writes long sketches of a view again, with one part for each bucket. */
async function compact(transaction: LedgerDatabase, step: string, periods: Periods): Promise<void> {
  const size = sql`length(total_times) + length(first_times)`;
  const longest = sql<{ most: number | null }>`SELECT max(${size}) AS most FROM ledger_usage
    WHERE ${within(step, periods)}`;
  const most = Number((await longest.execute(transaction)).rows[0]?.most ?? 0);
  const limit = Math.max(1, Math.floor(PAGE_SIZE / Math.max(1, most)));
  if (most <= LONG_SKETCHES) return;
  for (let last: Position = { start: periods.from, dimension: -1 }; ;) {
    const { rows } = await sql<Position & { total_times: string; first_times: string }>`
      SELECT start, dimension, total_times, first_times FROM ledger_usage
      WHERE ${within(step, periods)} AND (start, dimension) > (${last.start}, ${last.dimension})
        AND ${size} > ${sql.lit(LONG_SKETCHES)}
      ORDER BY start, dimension LIMIT ${sql.lit(limit)}`.execute(transaction);
    await createSetSketches(transaction)(
      transaction,
      rows.map(({ start, dimension, total_times, first_times }) => ({
        step,
        start,
        dimension,
        sketches: [compactSketch(total_times), compactSketch(first_times)],
      })),
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end;
  }
}

/** Adds to the sums of a view what those of all dimensions have after one, up to another. */
async function addToView(
  transaction: LedgerDatabase,
  view: View,
  periods: Periods,
  [above, to]: readonly [above: Position, to: Position | undefined],
): Promise<void> {
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
    ...sketchNames.map((name) => joinTexts(transaction, sql.ref(name))),
  ];
  const key = sql`(start, ledger_usage.dimension)`;
  await sql`INSERT INTO ledger_usage (step, start, dimension, ${names})
    SELECT ${sql.lit(`${view}/${periods.step}`)}, start, own_group, ${sql.join(sums)}
    FROM (SELECT start, ${group} AS own_group, ${names} FROM ledger_usage
      LEFT JOIN ledger_view_groups AS own ON own.dimension = ledger_usage.dimension
      WHERE ${within(periods.step, periods)} AND ${key} > (${above.start}, ${above.dimension})
        ${to === undefined ? sql`` : sql`AND ${key} <= (${to.start}, ${to.dimension})`}) AS found
    GROUP BY start, own_group ${sql.raw(addToUsage)}`.execute(transaction);
}

/** Reads a part of the sums at a time: their sketches are appended to each other, and written again. */
async function buildView(transaction: LedgerDatabase, view: View, periods: Periods): Promise<void> {
  const own = `${view}/${periods.step}`;
  await sql`DELETE FROM ledger_usage WHERE ${within(own, periods)}`.execute(transaction);
  const readNext = async (above: Position): Promise<Position | undefined> => {
    const { rows } = await sql<Position>`SELECT start, dimension FROM ledger_usage
      WHERE ${within(periods.step, periods)} AND (start, dimension) > (${above.start}, ${above.dimension})
      ORDER BY start, dimension LIMIT 1 OFFSET ${sql.lit(SUMS_OF_A_PART - 1)}`.execute(transaction);
    return rows[0];
  };
  for (let above: Position | undefined = { start: periods.from, dimension: -1 }; above !== undefined;) {
    const to = await readNext(above);
    await addToView(transaction, view, periods, [above, to]);
    await compact(transaction, own, periods);
    above = to;
  }
}

/** Other writers wait for this transaction, since they add to the same sums. */
const buildPeriods = (database: LedgerDatabase, periods: Periods): Promise<void> =>
  database.transaction().execute(async (transaction) => {
    if (dialectOf(database).name === 'postgres')
      await sql`LOCK TABLE ledger_usage, ledger_latencies IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
    await carryCounts(transaction, periods);
    for (const view of viewNames) await buildView(transaction, view, periods);
  });

/** The periods after a time that have the sums of one statement, or one period. */
async function nextPeriods(database: LedgerDatabase, step: Step, after: number): Promise<Periods | undefined> {
  const { rows } = await sql<{ start: number | null }>`SELECT min(start) AS start FROM ledger_usage
    WHERE step = ${step} AND start > ${after}`.execute(database);
  if (rows[0]?.start === null || rows[0]?.start === undefined) return undefined;
  const from = Number(rows[0].start);
  const beyond = sql<{ start: number }>`SELECT start FROM ledger_usage WHERE step = ${step} AND start >= ${from}
    ORDER BY start, dimension LIMIT 1 OFFSET ${sql.lit(SUMS_OF_A_PART)}`;
  const end = Number((await beyond.execute(database)).rows[0]?.start ?? Number.MAX_SAFE_INTEGER);
  return { step, from, to: Math.max(end, nextStart(step, from)) };
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
  let isBuilt = false;
  for (const step of steps) {
    // Older hours are deleted.
    let periods = await nextPeriods(database, step, step === 'hour' ? hoursSince(now) - 1 : -1);
    for (; periods !== undefined; periods = await nextPeriods(database, step, periods.to - 1)) {
      await buildPeriods(database, periods);
      isBuilt = true;
      if (stopping?.aborted === true) return;
      await delay(PAUSE_MS);
    }
  }
  if (await hasEarlierWriters(database)) return;
  await setState(database, 1);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (isBuilt) log('info', { seconds }, 'built the sums that reports read; reports are faster from now on');
}
