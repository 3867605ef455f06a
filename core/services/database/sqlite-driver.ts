import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, SqliteDriver, type DatabaseConnection } from 'kysely';
import { adaptDatabase } from './sqlite-statement.ts';

/** Default limit for the wait of one statement for other writers. */
const BUSY_MS = 5_000;
const RETRY_MS = 10;

/**
 * Retries while another connection writes. SQLite's own wait would block the whole thread, including a transaction of
 * this thread that it waits for. It also does not wait when two processes switch a new file to WAL
 * (https://www.sqlite.org/c3ref/busy_handler.html).
 */
export async function whileBusy<T>(action: () => Promise<T>, timeoutMs = BUSY_MS): Promise<T> {
  for (const deadline = performance.now() + Math.min(timeoutMs, BUSY_MS); ; await delay(RETRY_MS)) {
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
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
