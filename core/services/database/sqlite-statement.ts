import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { databaseFailure } from './failure.ts';
import { readBindable, readInteger } from './values.ts';

/** Size of the statement cache. A gateway has few SQL texts, and preparing one takes as long as running it. */
const CACHED_STATEMENTS = 200;

/**
 * Adapts `node:sqlite` to the interface of better-sqlite3, which Kysely's dialect requires. Values are always bound,
 * never part of the SQL. Every failure becomes KOINE_STORE_FAILED.
 */
export function adaptDatabase(sqlite: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => {
      if (sqlite.isOpen) sqlite.close();
    },
    prepare: (sql) => {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = attempt(() => adaptStatement(sqlite, sql));
      if (prepared.size >= CACHED_STATEMENTS) prepared.clear();
      prepared.set(sql, statement);
      return statement;
    },
  };
}

const adaptStatement = (sqlite: DatabaseSync, sql: string): SqliteStatement => {
  const statement = sqlite.prepare(sql);
  // With numbers, node:sqlite would throw at the first integer beyond 2^53.
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
    throw databaseFailure('The database query failed', error);
  }
};
