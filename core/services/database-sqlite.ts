import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, Kysely, SqliteAdapter, SqliteDriver, SqliteIntrospector, SqliteQueryCompiler, type DatabaseConnection, type Dialect } from 'kysely';
import { databaseFailure } from './database-failure.ts';
import { applyMigrations, type DatabaseOwner } from './database-migrations.ts';
import { adaptDatabase } from './database-sqlite-statement.ts';

/** How long one statement waits for another process to finish its write. */
const BUSY_MS = 5000;

/** A transaction takes the write lock as it begins. Taken at its first write, the lock is refused at once where another process has written since the first read. */
class ImmediateDriver extends SqliteDriver {
  readonly #sqlite: DatabaseSync;

  constructor(sqlite: DatabaseSync) {
    super({ database: adaptDatabase(sqlite) });
    this.#sqlite = sqlite;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  /** A disk that is full has ended the transaction already; that it cannot be ended again would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.isTransaction) await super.rollbackTransaction(connection);
  }
}

const createDialect = (sqlite: DatabaseSync): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new ImmediateDriver(sqlite),
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** @param path of the file, which is made where there is none, with its folder; or `:memory:` @throws GatewayError KOINE_STORE_FAILED */
export const openSqlite = async <Schema>(path: string, owner: DatabaseOwner): Promise<Kysely<Schema>> => {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    const sqlite = new DatabaseSync(path, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
    try {
      await waitWhileBusy(() => sqlite.exec('PRAGMA journal_mode = WAL'));
      const database = new Kysely<Schema>({ dialect: createDialect(sqlite) });
      await applyMigrations(database, owner);
      return database;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  } catch (error) {
    throw databaseFailure(`The database ${path} could not be opened`, error);
  }
};

/**
 * A file that another process is just writing for the first time cannot be switched to WAL, and SQLite says so at once, without its busy
 * timeout: waiting could deadlock (https://www.sqlite.org/c3ref/busy_handler.html).
 */
const waitWhileBusy = async (action: () => void): Promise<void> => {
  const deadline = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(10);
    }
  }
};

/** The low byte of SQLite's code is the class, 5 = SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;
