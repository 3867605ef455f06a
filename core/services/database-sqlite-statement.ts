import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { databaseFailure } from './database-failure.ts';
import { readBindable, readInteger } from './database-values.ts';

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
  // As numbers, node:sqlite would throw on the first integer that is too large to be one.
  statement.setReadBigInts(true);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => attempt(() => statement.all(...parameters.map(readBindable)).map(readRow)),
    run: (parameters) => attempt(() => statement.run(...parameters.map(readBindable))),
    iterate: (parameters) => attempt(() => statement.iterate(...parameters.map(readBindable)).map(readRow)),
  };
};

const readRow = (row: Record<string, SQLOutputValue>): object => {
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'bigint') row[name] = readInteger(value);
  }
  return row;
};

const attempt = <T>(action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw databaseFailure('The database could not be asked', error);
  }
};
