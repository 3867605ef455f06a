import type { DatabaseSync } from 'node:sqlite';
import { GatewayError } from '../errors.ts';

/** One step of the tables' history. Never changed once released: a new step is appended. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/**
 * Runs the steps that this database has not seen, in order, all or none. The write lock is taken first, so of several
 * processes that start at once one does the work and the others find it done.
 * @throws GatewayError where the database was written by a newer version, whose tables we could damage
 */
export const applyMigrations = (sqlite: DatabaseSync, migrations: readonly Migration[]): void => {
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    sqlite.exec('CREATE TABLE IF NOT EXISTS koine_migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT');
    const applied = readApplied(sqlite);
    checkKnown(applied, migrations);
    const record = sqlite.prepare("INSERT INTO koine_migrations (name, applied_at) VALUES (?, CAST(unixepoch('subsec') * 1000 AS INTEGER))");
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue;
      sqlite.exec(migration.sql);
      record.run(migration.name);
    }
    sqlite.exec('COMMIT');
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    throw error;
  }
};

const readApplied = (sqlite: DatabaseSync): ReadonlySet<string> =>
  new Set(sqlite.prepare('SELECT name FROM koine_migrations').all().map((row) => String(row['name'])));

const checkKnown = (applied: ReadonlySet<string>, migrations: readonly Migration[]): void => {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...applied].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new GatewayError(
    'KOINE_STORE_FAILED',
    `The database was written by a newer version of the gateway (migrations unknown here: ${unknown.join(', ')}). Start that version, or name another file in store.database.`,
  );
};
