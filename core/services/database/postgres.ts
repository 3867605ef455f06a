import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, type Dialect } from 'kysely';
import { types } from 'pg';
import { GatewayError } from '../../errors/gateway-error.ts';
import { databaseFailure, nameServer } from './failure.ts';
import { openPools, type Connections } from './host-pools.ts';
import { applyMigrations, type DatabaseOwner } from './migrations.ts';
import { PostgresDriver } from './postgres-driver.ts';
import { readInteger } from './values.ts';

/** Maximum number of connections of one pool. Keys are cached until they change, so few are enough. */
const CONNECTIONS = 4;
/** How long a query waits for a free or a new connection. */
const CONNECT_MS = 2_000;
/** Default timeout of one statement; the same as SQLite's wait for another process. */
const TIMEOUT_MS = 5_000;
/**
 * The server cancels a statement at its timeout, which keeps the connection. If the server is silent, the client gives
 * up this much later.
 */
const SILENCE_MS = 500;
const giveUpAfter = (timeoutMs: number): number => (timeoutMs === UNLIMITED ? Infinity : timeoutMs + SILENCE_MS);
/** Migrations can take long, and so can waiting for another process that runs them. */
const UNLIMITED = 0;
/** At startup no caller waits for a response yet. */
const START_CONNECT_MS = 10_000;

/** Type ids (from pg_type.dat) that pg would return as text. */
const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;

/**
 * The same results as SQLite: integers by {@link readInteger}, sums and averages (numeric) as numbers, bytes as a plain
 * Uint8Array.
 */
const readers = new Map<number, (text: string) => unknown>([
  [BYTEA, (text) => new Uint8Array(types.getTypeParser(BYTEA)(text))],
  [INT8, (text) => readInteger(BigInt(text))],
  [NUMERIC, (text) => (/^-?\d+$/.test(text) ? readInteger(BigInt(text)) : Number(text))],
]);

/** A lost connection does not end the process: the next query fails or opens a new one. */
const open = (url: string, timeoutMs: number): Connections =>
  openPools(
    url,
    {
      application_name: 'koine',
      max: CONNECTIONS,
      keepAlive: true,
      // Compiling a statement takes half a second, which none of these statements regains.
      onConnect: (client) => client.query('SET jit = off'),
      ...(timeoutMs === UNLIMITED
        ? { connectionTimeoutMillis: START_CONNECT_MS }
        : {
            connectionTimeoutMillis: CONNECT_MS,
            statement_timeout: timeoutMs,
            // Of the queries that pg and its pool make: the driver has a timeout of its own.
            query_timeout: 2 * giveUpAfter(timeoutMs),
          }),
      types: { getTypeParser: (oid: number) => readers.get(oid) ?? types.getTypeParser(oid) },
    },
    (pool) => {
      // An `error` event without a listener would end the process. The pool listens on idle connections only.
      pool.on('error', () => {});
      pool.on('connect', (client) => client.on('error', () => {}));
    },
  );

const createDialect = (url: string, timeoutMs: number): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PostgresDriver(open(url, timeoutMs), nameServer(url), giveUpAfter(timeoutMs)),
  createIntrospector: (database) => new PostgresIntrospector(database),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** Connects to a server that takes writes, and changes nothing. @throws GatewayError KOINE_STORE_FAILED */
export async function pingPostgres(url: string): Promise<void> {
  const database = new Kysely<object>({ dialect: createDialect(url, TIMEOUT_MS) });
  try {
    const { rows } = await sql<{ readonly transaction_read_only: string }>`SHOW transaction_read_only`.execute(
      database,
    );
    if (rows[0]?.transaction_read_only === 'on')
      throw new GatewayError(
        'KOINE_STORE_FAILED',
        `${nameServer(url)} takes no writes: it is a standby, or read-only. Name the primary, or all hosts.`,
      );
  } finally {
    await database.destroy();
  }
}

/**
 * @param url `postgres://` or `postgresql://`, with one or several hosts and the parameters of pg
 * @throws GatewayError KOINE_STORE_FAILED
 */
export async function openPostgres<Schema>(url: string, owner: DatabaseOwner): Promise<Kysely<Schema>> {
  const create = (timeoutMs: number) => new Kysely<Schema>({ dialect: createDialect(url, timeoutMs) });
  const migrating = create(UNLIMITED);
  try {
    await applyMigrations(migrating, owner);
  } catch (error) {
    throw databaseFailure(`The database ${nameServer(url)} could not be opened`, error);
  } finally {
    await migrating.destroy();
  }
  // Connected now, so that the first caller does not wait. A server that is slow to connect is there: it has responded.
  const opened = create(owner.timeoutMs ?? TIMEOUT_MS);
  await sql`SELECT 1`.execute(opened).catch(() => {});
  return opened;
}
