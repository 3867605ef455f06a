import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import { openDatabase, type Database } from '../../core/api/database.ts';
import { applyMigrations } from '../../core/services/database/migrations.ts';
import { readInteger } from '../../core/services/database/values.ts';
import { ledgerTables } from '../../plugins/ledger/migrations.ts';
import type { LedgerSchema } from '../../plugins/ledger/tables.ts';

const owner = ledgerTables(10_000);

/** Reads the tables of a ledger, whether a gateway runs or not. */
export interface LedgerReader {
  read<T>(action: (database: Database<LedgerSchema>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** From pg_type.dat. */
const INT8 = 20;

/**
 * One connection, for all reads. It has no time limits, unlike those of a gateway: on a busy machine a new connection
 * can take seconds. After an outage of the server the next read opens another one.
 */
const readPostgres = (connectionString: string): LedgerReader => {
  const getTypeParser = (oid: number) =>
    oid === INT8 ? (text: string) => readInteger(BigInt(text)) : types.getTypeParser(oid);
  const pool = new Pool({ connectionString, max: 1, idleTimeoutMillis: 0, types: { getTypeParser } });
  // A lost connection is no failure of the test.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const database = new Kysely<LedgerSchema>({ dialect: new PostgresDialect({ pool }) });
  let isMigrated = false;
  return {
    read: async (action) => {
      if (!isMigrated) await applyMigrations(database, owner);
      isMigrated = true;
      return action(database);
    },
    close: () => database.destroy(),
  };
};

/** A file can be removed or broken between two reads, so each opens it. */
const readSqlite = (url: string): LedgerReader => ({
  read: async (action) => {
    const database = await openDatabase<LedgerSchema>(url, owner);
    try {
      return await action(database);
    } finally {
      await database.destroy();
    }
  },
  close: async () => {},
});

export const createReader = (url: string): LedgerReader =>
  url.startsWith('sqlite:') ? readSqlite(url) : readPostgres(url);

/** Reads the tables once. */
export const readLedger = async <T>(
  url: string,
  action: (database: Database<LedgerSchema>) => Promise<T>,
): Promise<T> => {
  const reader = createReader(url);
  try {
    return await reader.read(action);
  } finally {
    await reader.close();
  }
};
