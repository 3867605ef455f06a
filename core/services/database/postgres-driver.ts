import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { DatabaseError, type PoolClient, type QueryResult as PostgresResult } from 'pg';
import { GatewayError } from '../../errors/gateway-error.ts';
import { Timer } from '../timer.ts';
import { databaseFailure } from './failure.ts';
import type { Connections } from './host-pools.ts';
import { readBindable } from './values.ts';

const COMMIT = 'COMMIT';
/** The server has become a standby: its connections are of no use. */
const READ_ONLY = '25006';
/** Commands that report the number of changed rows. */
const counted = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** A connection of the pool. Once it has failed, it is not used again. */
class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #timeoutMs: number;
  #failure: GatewayError | undefined;

  constructor(client: PoolClient, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#failure !== undefined) throw this.#failure;
    const values = parameters.map(readBindable);
    try {
      const { command, rowCount, rows } = await this.#query(sql, values);
      if (sql === COMMIT && command !== COMMIT)
        throw new GatewayError(
          'KOINE_STORE_FAILED',
          'The database rolled a transaction back: one of its statements had failed.',
        );
      return counted.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
    } catch (error) {
      const failure = databaseFailure('The database query failed', error);
      // An error that the server did not send is an error of the connection itself.
      if (!(error instanceof DatabaseError) || error.code === READ_ONLY) this.#failure = failure;
      throw failure;
    }
  }

  /** The timeout of pg is a plain timer: after a blocked event loop it expires before the result is read. */
  async #query(text: string, values: unknown[]): Promise<PostgresResult> {
    const result = this.#client.query(text, values);
    if (this.#timeoutMs === Infinity) return result;
    const silence = Promise.withResolvers<never>();
    const timer = new Timer(this.#timeoutMs, () =>
      silence.reject(new Error(`the server did not respond within ${this.#timeoutMs} ms`)),
    );
    try {
      return await Promise.race([result, silence.promise]);
    } finally {
      timer.stop();
    }
  }

  streamQuery(): never {
    throw new GatewayError('KOINE_STORE_FAILED', 'Rows are not streamed from Postgres: read them in pages.');
  }

  release(): void {
    this.#client.release(this.#failure !== undefined);
  }
}

/**
 * Replaces Kysely's own driver: failures become KOINE_STORE_FAILED, values that cannot be bound are refused, and failed
 * connections are discarded.
 */
export class PostgresDriver implements Driver {
  readonly #pool: Connections;
  readonly #server: string;
  readonly #timeoutMs: number;

  /**
   * @param server its name in error messages
   * @param timeoutMs after which a silent server is given up
   */
  constructor(pool: Connections, server: string, timeoutMs: number) {
    this.#pool = pool;
    this.#server = server;
    this.#timeoutMs = timeoutMs;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return new PostgresConnection(await this.#pool.connect(), this.#timeoutMs);
    } catch (error) {
      throw databaseFailure(`The database ${this.#server} could not be reached`, error);
    }
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(COMMIT));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PostgresConnection) connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}
