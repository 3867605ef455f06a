import { setTimeout as delay } from 'node:timers/promises';
import { dialectOf, sql, withAdvisoryLock } from '../../../core/api/database.ts';
import { nextStart, startOf, type Step } from '../periods.ts';
import type { LedgerDatabase } from './insert.ts';
import type { WriteLog } from './journal.ts';
import { hasSearchIndexes, withPatience } from './search-indexes.ts';
import { createTriggers, dropTriggers, hasTriggers } from '../sinks/triggers.ts';

// In Postgres, rows are in partitions by id: ids begin with the time of their request, so the unique index of ids has
// the key of the partitions, and a row that is written again finds itself.

const DAY = 86_400_000;
/** Statements that change the table wait for running ones, and further ones wait for them. */
const LOCK_TIMEOUT = sql`SET LOCAL lock_timeout = '500ms'`;
const TRIES = 30;
const PAUSE_MS = 2_000;
const AHEAD: Readonly<Record<'day' | 'month', number>> = { day: 3 * DAY, month: 40 * DAY };
/** Rows beyond it are rejected while the table is converted, and until what a killed process has begun is undone. */
const TIME_TO_CONVERT_MS = 7 * DAY;
const CONVERSION = sql`hashtextextended('koine conversion of the ledger', 0)`;
/** Retention up to which a partition has a day of rows. */
const MAX_DAYS = 62;
/** A request ends some time after its id was made. */
const LONGEST_REQUEST_MS = DAY;

const ID = /^req_([0-9a-f]{12})/;
/** The first id of a time. @param at unix milliseconds */
const idAt = (at: number): string => `req_${at.toString(16).padStart(12, '0')}`;
const nameAt = (at: number): string => `ledger_${new Date(at).toISOString().slice(0, 10).replaceAll('-', '')}`;

/** The table of a version without partitions. It has the rows up to its end. */
const BEFORE = 'ledger_before';
/** Rows of other times, which have no partition yet. */
const REST = 'ledger_rest';

interface Partition {
  readonly name: string;
  /** The end of the times of its ids, exclusive, in unix milliseconds; undefined for `REST`. */
  readonly to: number | undefined;
}

/** The partitions, the oldest first; undefined: the table has none. */
export async function listPartitions(database: LedgerDatabase): Promise<readonly Partition[] | undefined> {
  if (dialectOf(database).name === 'sqlite') return undefined;
  const kind = sql<{ kind: string }>`SELECT relkind AS kind FROM pg_class WHERE oid = to_regclass('ledger')`;
  if ((await kind.execute(database)).rows[0]?.kind !== 'p') return undefined;
  const { rows } = await sql<{ name: string; bound: string }>`
    SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bound FROM pg_class
      JOIN pg_inherits ON inhrelid = oid WHERE inhparent = to_regclass('ledger')`.execute(database);
  return rows
    .map(({ name, bound }) => {
      const [, time] = ID.exec(/ TO \('([^']*)'\)/.exec(bound)?.[1] ?? '') ?? [];
      return { name, to: time === undefined ? undefined : Number.parseInt(time, 16) };
    })
    .toSorted((one, other) => (one.to ?? Infinity) - (other.to ?? Infinity));
}

/** Creates a partition, with the rows of its time that came before it. */
async function createPartition(transaction: LedgerDatabase, from: number, to: number): Promise<void> {
  const table = sql.ref(nameAt(from));
  await sql`CREATE TABLE ${table} (LIKE ledger INCLUDING DEFAULTS)`.execute(transaction);
  await sql`WITH moved AS (DELETE FROM ${sql.ref(REST)} WHERE id >= ${idAt(from)} AND id < ${idAt(to)} RETURNING *)
    INSERT INTO ${table} SELECT * FROM moved`.execute(transaction);
  await sql`ALTER TABLE ledger ATTACH PARTITION ${table}
    FOR VALUES FROM (${sql.lit(idAt(from))}) TO (${sql.lit(idAt(to))})`.execute(transaction);
}

const isLockTimeout = (error: unknown): boolean => /lock timeout/.test(String(error));

const stepFor = (retentionMs: number): 'day' | 'month' => (retentionMs <= MAX_DAYS * DAY ? 'day' : 'month');

/** Creates the partitions of the next days or months. */
async function createAhead(transaction: LedgerDatabase, end: number, step: Step, now: number): Promise<void> {
  const until = now + AHEAD[step === 'day' ? 'day' : 'month'];
  // A gateway that was stopped for long begins with the current period.
  for (let from = Math.max(end, startOf(step, now)); from < until;) {
    const to = nextStart(step, startOf(step, from));
    await createPartition(transaction, from, to);
    from = to;
  }
}

/** Runs statements that need the table for themselves. Writers wait for them half a second at most, then go first. */
export async function withTable(
  connection: LedgerDatabase,
  action: (transaction: LedgerDatabase) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connection.transaction().execute(async (transaction) => {
        await LOCK_TIMEOUT.execute(transaction);
        await action(transaction);
      });
      return;
    } catch (error) {
      if (attempt === TRIES || !isLockTimeout(error)) throw error;
      await delay(PAUSE_MS);
    }
  }
}

const dropEnd = sql`ALTER TABLE ledger DROP CONSTRAINT IF EXISTS ledger_end`;

/** Removes what a process that was killed has left of a conversion. Another process may convert the table now. */
export async function undoConversion(database: LedgerDatabase): Promise<void> {
  if (dialectOf(database).name === 'sqlite') return;
  const left = sql`SELECT 1 FROM pg_constraint WHERE conrelid = to_regclass('ledger') AND conname = 'ledger_end'`;
  if ((await left.execute(database)).rows.length === 0) return;
  const lock = sql<{ isFree: number }>`SELECT pg_try_advisory_xact_lock(${CONVERSION})::int AS "isFree"`;
  await withTable(database, async (transaction) => {
    if ((await lock.execute(transaction)).rows[0]?.isFree === 1) await dropEnd.execute(transaction);
  });
}

/**
 * Creates partitions ahead, and drops those whose rows have all expired. Rows of tables without a time of their own are
 * deleted one by one.
 * @param expired unix milliseconds: earlier rows have expired
 * @returns the tables whose expired rows are to be deleted; undefined: the ledger has no partitions
 */
export async function keepPartitions(
  database: LedgerDatabase,
  { retentionMs, expired }: { readonly retentionMs: number; readonly expired: number },
  now: number,
): Promise<readonly string[] | undefined> {
  if ((await listPartitions(database)) === undefined) {
    await undoConversion(database);
    return undefined;
  }
  await withAdvisoryLock(database, 'partitions of the ledger', async (transaction) => {
    await LOCK_TIMEOUT.execute(transaction);
    const partitions = (await listPartitions(transaction)) ?? [];
    const end = partitions.reduce((last, { to = 0 }) => Math.max(last, to), 0);
    await createAhead(transaction, end, stepFor(retentionMs), now);
    for (const { name, to = Infinity } of partitions)
      if (to + LONGEST_REQUEST_MS < expired) await sql`DROP TABLE ${sql.ref(name)}`.execute(transaction);
  }).catch((error: unknown) => {
    // A long statement is running. The next round tries again: partitions are created well ahead.
    if (!isLockTimeout(error)) throw error;
  });
  const partitions = (await listPartitions(database)) ?? [];
  return partitions.map(({ name }) => name).filter((name) => name === BEFORE || name === REST);
}

/** The table becomes the first partition: no row is read or written. Its ids are known to be before `end`. */
async function replaceTable(transaction: LedgerDatabase, end: number, retentionMs: number): Promise<void> {
  await sql`LOCK TABLE ledger IN ACCESS EXCLUSIVE MODE`.execute(transaction);
  const { rows: indexes } = await sql<{ name: string; definition: string; isKey: number }>`
    SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, indisprimary::int AS "isKey"
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = to_regclass('ledger') AND indisvalid`.execute(transaction);
  const before = sql.ref(BEFORE);
  await sql`ALTER TABLE ledger RENAME TO ${before}`.execute(transaction);
  await sql`CREATE TABLE ledger (LIKE ${before} INCLUDING DEFAULTS) PARTITION BY RANGE (id)`.execute(transaction);
  for (const { name, definition, isKey } of indexes) {
    await sql`ALTER INDEX ${sql.ref(name)} RENAME TO ${sql.ref(`${name}_before`)}`.execute(transaction);
    await (isKey === 1 ? sql`ALTER TABLE ledger ADD PRIMARY KEY (id)` : sql.raw(definition)).execute(transaction);
  }
  if (await hasTriggers(transaction, BEFORE)) {
    await dropTriggers(transaction, BEFORE);
    await createTriggers(transaction);
  }
  await sql`ALTER TABLE ledger ATTACH PARTITION ${before}
    FOR VALUES FROM (MINVALUE) TO (${sql.lit(idAt(end))})`.execute(transaction);
  await sql`ALTER TABLE ${before} DROP CONSTRAINT ledger_end`.execute(transaction);
  await sql`CREATE TABLE ${sql.ref(REST)} PARTITION OF ledger DEFAULT`.execute(transaction);
  await createAhead(transaction, end, stepFor(retentionMs), end - DAY);
}

/** Checks the ids of all rows while they are written, so that Postgres need not do it while it locks the table. */
async function convert(connection: LedgerDatabase, retentionMs: number, now: number): Promise<void> {
  const end = startOf('day', now + TIME_TO_CONVERT_MS);
  const addEnd = sql`ALTER TABLE ledger ADD CONSTRAINT ledger_end CHECK (id < ${sql.lit(idAt(end))}) NOT VALID`;
  await withTable(connection, async (transaction) => {
    await dropEnd.execute(transaction);
    await addEnd.execute(transaction);
  });
  try {
    await sql`ALTER TABLE ledger VALIDATE CONSTRAINT ledger_end`.execute(connection);
    await withTable(connection, (transaction) => replaceTable(transaction, end, retentionMs));
  } catch (error) {
    // Later rows would be rejected.
    await withTable(connection, (transaction) => dropEnd.execute(transaction));
    throw error;
  }
}

/**
 * Gives a Postgres ledger partitions, while it is written and read. One process does it. Never rejects.
 * @param now unix milliseconds
 */
export async function createPartitions(
  database: LedgerDatabase,
  url: string,
  retentionMs: number,
  now: number,
  log: WriteLog,
): Promise<void> {
  if (dialectOf(database).name === 'sqlite') return;
  try {
    if ((await listPartitions(database)) !== undefined || !(await hasSearchIndexes(database))) return;
    await withPatience(url, CONVERSION, async (connection) => {
      if ((await listPartitions(connection)) !== undefined) return;
      await convert(connection, retentionMs, now);
      log('info', {}, 'the rows of the ledger are in partitions from now on');
    });
  } catch (error) {
    log('warn', { error }, 'the ledger could not get partitions, and deletes expired rows; the next start tries again');
  }
}
