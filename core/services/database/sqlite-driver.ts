import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, SqliteDriver, type DatabaseConnection } from 'kysely';
import { adaptDatabase } from './sqlite-statement.ts';

/** How long one statement waits for others to finish their writes, at most. */
const BUSY_MS = 5_000;
const RETRY_MS = 10;

/**
 * Tries again while another connection writes. SQLite could wait itself, but it would stop the whole thread meanwhile, and with it a transaction
 * of this thread that is being waited for. And it does not wait where two switch a new file to WAL (https://www.sqlite.org/c3ref/busy_handler.html).
 */
export async function whileBusy<T>(action: () => Promise<T>, patienceMs = BUSY_MS): Promise<T> {
  for (const deadline = performance.now() + Math.min(patienceMs, BUSY_MS); ; await delay(RETRY_MS)) {
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

/** The one connection to a file, whose queries come one after the other. */
export class SqliteFileDriver extends SqliteDriver {
  readonly #sqlite: DatabaseSync;
  /** How long a statement waits for others, five seconds at most. */
  patienceMs: number | undefined;

  constructor(sqlite: DatabaseSync) {
    super({ database: adaptDatabase(sqlite) });
    this.#sqlite = sqlite;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => whileBusy(() => connection.executeQuery(query), this.patienceMs),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  /** Takes the write lock at once. Taken at the first write, it is refused for good where another connection has written since the first read. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }

  /** A disk that is full has ended the transaction already; that it cannot be ended again would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.isTransaction) await super.rollbackTransaction(connection);
  }
}
