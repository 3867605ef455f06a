import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { GatewayError } from '../errors.ts';
import { adaptDatabase } from './database-adapter.ts';
import { databaseFailure } from './database-failure.ts';
import { applyMigrations, type Migration } from './database-migrations.ts';
import { gatewayMigrations, type GatewaySchema } from './database-schema.ts';

/** How long one statement waits for another process to finish its write. */
const busyTimeoutMs = 5000;

/** Closes the file even where no query was ever made; Kysely alone would leave it open then. */
class SqliteKysely extends Kysely<GatewaySchema> {
  readonly #sqlite: SqliteDatabase;

  constructor(sqlite: SqliteDatabase) {
    super({ dialect: new SqliteDialect({ database: sqlite }) });
    this.#sqlite = sqlite;
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    this.#sqlite.close();
  }
}

/** The gateway's database: Kysely over `node:sqlite`. `destroy()` closes it. */
export type Database = Kysely<GatewaySchema>;

/**
 * Opens the database of `store.database`, creating the file and its folder, and brings its tables up to date.
 * Several processes may open the same new file at once. Synchronous: it happens once, before anything is served.
 * @param url `sqlite:<path>`, or `sqlite::memory:` for one that ends with the process
 * @throws GatewayError KOINE_STORE_FAILED
 */
export const openDatabase = (url: string, migrations: readonly Migration[] = gatewayMigrations): Database => {
  const path = parseDatabaseUrl(url);
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    const sqlite = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
    try {
      waitWhileBusy(() => sqlite.exec('PRAGMA journal_mode = WAL'));
      applyMigrations(sqlite, migrations);
    } catch (error) {
      sqlite.close();
      throw error;
    }
    return new SqliteKysely(adaptDatabase(sqlite));
  } catch (error) {
    throw databaseFailure(`The database ${path} could not be opened`, error);
  }
};

const parseDatabaseUrl = (url: string): string => {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  if (path !== '') return path;
  throw new GatewayError('KOINE_STORE_FAILED', `store.database is "${url.replace(/\/\/[^@/]*@/, '//***@')}"; write sqlite: and the path of a file.`);
};

/**
 * A file that another process is just writing for the first time cannot be switched to WAL, and SQLite says so at once, without its busy
 * timeout: waiting could deadlock (https://www.sqlite.org/c3ref/busy_handler.html).
 */
const waitWhileBusy = (action: () => void): void => {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
};

/** The low byte of SQLite's code is the class, 5 = SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
