import { dialectOf, openDatabase, sql } from '../../../core/api/database.ts';
import { ledgerTables, searchIndexes } from '../migrations.ts';
import type { LedgerSchema } from '../tables.ts';
import type { LedgerDatabase } from './insert.ts';

/** Checking or indexing ten million rows takes minutes, and statements of other processes are waited for. */
const PATIENT_MS = 6 * 3_600_000;
const LOCK = sql`hashtextextended('koine indexes of the ledger', 0)`;

type Log = (level: 'info' | 'warn', fields: object, text: string) => void;

/** Databases whose indexes are known to exist. */
const indexed = new WeakSet<LedgerDatabase>();

/** Runs statements that take long, on a connection of its own, if no other process has the lock. */
export async function withPatience(
  url: string,
  lock: ReturnType<typeof sql>,
  action: (connection: LedgerDatabase) => Promise<void>,
): Promise<void> {
  const patient = await openDatabase<LedgerSchema>(url, ledgerTables(PATIENT_MS));
  const tryLock = sql<{ readonly isFree: boolean }>`SELECT pg_try_advisory_lock(${lock}) AS "isFree"`;
  await patient
    .connection()
    .execute(async (connection) => {
      if ((await tryLock.execute(connection)).rows[0]?.isFree === true) await action(connection);
    })
    .finally(() => patient.destroy());
}

/** The indexes that are missing, or that a process began and did not finish. */
const listMissing = async (database: LedgerDatabase) => {
  const { rows } = await sql<{ readonly name: string }>`SELECT relname AS name FROM pg_class
    JOIN pg_index ON indexrelid = pg_class.oid
    WHERE indrelid = to_regclass('ledger') AND indisvalid`.execute(database);
  const valid = new Set(rows.map(({ name }) => name));
  return searchIndexes.filter(({ name }) => !valid.has(name));
};

/** Whether searches can use their indexes. In SQLite a migration has created them. */
export async function hasSearchIndexes(database: LedgerDatabase): Promise<boolean> {
  if (indexed.has(database) || dialectOf(database).name === 'sqlite') return true;
  const isComplete = (await listMissing(database)).length === 0;
  if (isComplete) indexed.add(database);
  return isComplete;
}

/**
 * Creates the indexes of searches in a Postgres ledger of a version without them, while it is written and read. One
 * process does it, and a statement that it has begun goes on when it ends. Never rejects.
 */
export async function createSearchIndexes(database: LedgerDatabase, url: string, log: Log): Promise<void> {
  try {
    if (await hasSearchIndexes(database)) return;
    await withPatience(url, LOCK, (connection) => createMissing(connection, log));
  } catch (error) {
    log('warn', { error }, 'not all indexes for searches of requests could be created; the next start tries again');
  }
}

const createMissing = async (connection: LedgerDatabase, log: Log): Promise<void> => {
  for (const { name, definition } of await listMissing(connection)) {
    log('info', { index: name }, 'creating an index for searches of requests; until then they read rows by time');
    await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.ref(name)}`.execute(connection);
    await sql`CREATE INDEX CONCURRENTLY ${sql.ref(name)} ON ledger ${sql.raw(definition)}`.execute(connection);
  }
  log('info', {}, 'searches of requests have their indexes');
};
