import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Dialect } from 'kysely';
import { databaseFailure } from './failure.ts';
import { applyMigrations, type DatabaseOwner } from './migrations.ts';
import { makePrivate } from './sqlite-file.ts';
import { SqliteFileDriver, whileBusy } from './sqlite-driver.ts';

const createDialect = (driver: SqliteFileDriver): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => driver,
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/**
 * Opens a SQLite database.
 * @param path file, created with its folder if missing, accessible to this user only; or `:memory:`
 * @throws GatewayError KOINE_STORE_FAILED
 */
export async function openSqlite<Schema>(path: string, owner: DatabaseOwner): Promise<Kysely<Schema>> {
  try {
    if (path !== ':memory:') makePrivate(path);
    const sqlite = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    try {
      await whileBusy(async () => sqlite.exec('PRAGMA journal_mode = WAL'));
      const driver = new SqliteFileDriver(sqlite);
      const database = new Kysely<Schema>({ dialect: createDialect(driver) });
      await applyMigrations(database, owner);
      driver.timeoutMs = owner.timeoutMs;
      return database;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  } catch (error) {
    throw databaseFailure(`The database ${path} could not be opened`, error);
  }
}
