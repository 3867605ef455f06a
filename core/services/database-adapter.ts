import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { GatewayError } from '../errors.ts';
import { databaseFailure } from './database-failure.ts';

/**
 * `node:sqlite` in the shape of better-sqlite3, which is what Kysely's dialect asks for.
 * Values are always bound, never written into SQL. Every failure becomes KOINE_STORE_FAILED.
 */
export const adaptDatabase = (sqlite: DatabaseSync): SqliteDatabase => ({
  close: () => {
    if (sqlite.isOpen) sqlite.close();
  },
  prepare: (sql) => attempt(() => adaptStatement(sqlite, sql)),
});

const adaptStatement = (sqlite: DatabaseSync, sql: string): SqliteStatement => {
  const statement = sqlite.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => attempt(() => statement.all(...parameters.map(readBindable))),
    run: (parameters) => attempt(() => statement.run(...parameters.map(readBindable))),
    iterate: (parameters) => attempt(() => statement.iterate(...parameters.map(readBindable))),
  };
};

const attempt = <T>(action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw databaseFailure('The database could not be asked', error);
  }
};

/** What SQLite can hold; booleans, which it has not, become 0 and 1. */
const readBindable = (value: unknown): SQLInputValue => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value;
  if (typeof value === 'boolean') return Number(value);
  throw new GatewayError('KOINE_STORE_FAILED', `A value of type ${typeof value} cannot be stored in the database.`);
};
