import { dialectOf, openDatabase, sql } from '../../../core/api/database.ts';
import type { WriteSettings } from '../messages.ts';
import { ledgerTables } from '../migrations.ts';
import type { LedgerSchema } from '../tables.ts';
import type { LedgerDatabase } from './insert.ts';

/** Timeout of a statement that writes rows; after that they are spooled. */
const WRITE_MS = 1_000;
const READ_MS = 30_000;

/**
 * A transaction of 1,000 rows changes some thousand pages: of sums, and of the index of searches. SQLite keeps 2 MB of
 * them by default, copies each page to a file before a statement changes it, and copies its log to the database after
 * every 4 MB.
 */
const LARGE_TRANSACTIONS = ['cache_size = -16000', 'temp_store = MEMORY', 'wal_autocheckpoint = 4000'];

/** For queries and housekeeping. */
export async function openLedger(url: string, timeoutMs = READ_MS): Promise<LedgerDatabase> {
  const database = await openDatabase<LedgerSchema>(url, ledgerTables(timeoutMs));
  if (dialectOf(database).name === 'sqlite') await sql`PRAGMA synchronous = NORMAL`.execute(database);
  return database;
}

export async function openToWrite(url: string, durability: WriteSettings['durability']): Promise<LedgerDatabase> {
  const database = await openLedger(url, WRITE_MS);
  if (dialectOf(database).name === 'postgres') return database;
  const settings = durability === 'strict' ? [...LARGE_TRANSACTIONS, 'synchronous = FULL'] : LARGE_TRANSACTIONS;
  for (const setting of settings) await sql`PRAGMA ${sql.raw(setting)}`.execute(database);
  return database;
}
