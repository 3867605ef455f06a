import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  SqliteDriver,
  type DatabaseConnection,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { databaseFailure } from './failure.ts';
import { readBindable, readInteger } from './values.ts';

/** Default limit for the wait of one statement for other writers. */
const BUSY_MS = 5_000;
const RETRY_MS = 10;
/** The most that a retry counts: while a process does not run, neither it nor the writer gets on. */
const LONGEST_RETRY_MS = 100;

/**
 * Retries while another connection writes. SQLite's own wait would block the whole thread, including a transaction of
 * this thread that it waits for. It also does not wait when two processes switch a new file to WAL
 * (https://www.sqlite.org/c3ref/busy_handler.html).
 */
export async function whileBusy<T>(action: () => Promise<T>, timeoutMs = BUSY_MS): Promise<T> {
  for (let waited = 0; ;) {
    const begun = performance.now();
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error) || waited > Math.min(timeoutMs, BUSY_MS)) throw error;
    }
    await delay(RETRY_MS);
    waited += Math.min(performance.now() - begun, LONGEST_RETRY_MS);
  }
}

/** The low byte of SQLite's code is the class, 5 = SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy */
const isBusy = (error: unknown): boolean => {
  const thrown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (
    thrown instanceof Error &&
    'errcode' in thrown &&
    typeof thrown.errcode === 'number' &&
    (thrown.errcode & 0xff) === 5
  );
};

/** Size of the statement cache. A gateway has few SQL texts, and preparing one takes as long as running it. */
const CACHED_STATEMENTS = 200;

/**
 * Adapts `node:sqlite` to the interface of better-sqlite3, which Kysely's dialect requires. Values are always bound,
 * never part of the SQL. Every failure becomes KOINE_STORE_FAILED.
 */
function adaptDatabase(sqlite: DatabaseSync): SqliteDatabase {
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

/** The single connection to a file. Its queries run one after the other. */
export class SqliteFileDriver extends SqliteDriver {
  readonly #sqlite: DatabaseSync;
  /** How long a statement waits for other writers, at most 5 s. */
  timeoutMs: number | undefined;

  constructor(sqlite: DatabaseSync) {
    super({ database: adaptDatabase(sqlite) });
    this.#sqlite = sqlite;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => whileBusy(() => connection.executeQuery(query), this.timeoutMs),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  /**
   * Takes the write lock immediately. A transaction that takes it with its first write fails for good if another
   * connection has written since its first read.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  /** A full disk has already ended the transaction. The error of a second rollback would hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.isTransaction) await super.rollbackTransaction(connection);
  }
}
