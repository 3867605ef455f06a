import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql, type Dialect } from 'kysely';
import { Pool, types } from 'pg';
import { databaseFailure, nameServer } from './failure.ts';
import { applyMigrations, type DatabaseOwner } from './migrations.ts';
import { PostgresDriver } from './postgres-driver.ts';
import { readInteger } from './values.ts';

/** Connections that one opening holds at most, while it is busy. Keys are remembered for a second: few are enough. */
const CONNECTIONS = 4;
/** How long a connection is waited for: one that is made, or one that is free. */
const CONNECT_MS = 2_000;
/** How long one statement may take, unless its owner says so: as long as SQLite waits for another process. */
const PATIENCE_MS = 5_000;
/** A server that is there ends a statement itself, which keeps the connection; one that is silent is given up so much later. */
const SILENCE_MS = 500;
/** Steps of the tables' history may take long, and so may waiting for a process that takes them. */
const UNLIMITED = 0;
/** At the start nobody waits for an answer yet. */
const START_CONNECT_MS = 10_000;

/** Numbers of the types that pg would give as text, from pg_type.dat. */
const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;

/** As SQLite gives them: integers as {@link readInteger}, sums and averages (numeric) as numbers, bytes as nothing but bytes. */
const readers = new Map<number, (text: string) => unknown>([
  [BYTEA, (text) => new Uint8Array(types.getTypeParser(BYTEA)(text))],
  [INT8, (text) => readInteger(BigInt(text))],
  [NUMERIC, (text) => (/^-?\d+$/.test(text) ? readInteger(BigInt(text)) : Number(text))],
]);

/** Never ends the process: a connection that is lost is missed by whoever asks next, and made anew. */
const openPool = (url: string, patienceMs: number): Pool => {
  const pool = new Pool({
    connectionString: url,
    application_name: 'koine',
    max: CONNECTIONS,
    keepAlive: true,
    ...(patienceMs === UNLIMITED
      ? { connectionTimeoutMillis: START_CONNECT_MS }
      : { connectionTimeoutMillis: CONNECT_MS, statement_timeout: patienceMs, query_timeout: patienceMs + SILENCE_MS }),
    types: { getTypeParser: (oid: number) => readers.get(oid) ?? types.getTypeParser(oid) },
  });
  // Events that nobody hears would end the process. The pool listens to connections only while they rest.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

const createDialect = (pool: Pool, server: string): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PostgresDriver(pool, server),
  createIntrospector: (database) => new PostgresIntrospector(database),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** @param url `postgres://` or `postgresql://`, with the parameters that pg knows @throws GatewayError KOINE_STORE_FAILED */
export async function openPostgres<Schema>(url: string, owner: DatabaseOwner): Promise<Kysely<Schema>> {
  const server = nameServer(url);
  const attempt = async (
    patienceMs: number,
    prepare: (database: Kysely<Schema>) => Promise<unknown>,
  ): Promise<Kysely<Schema>> => {
    const database = new Kysely<Schema>({ dialect: createDialect(openPool(url, patienceMs), server) });
    try {
      await prepare(database);
      return database;
    } catch (error) {
      await database.destroy();
      throw databaseFailure(`The database ${server} could not be opened`, error);
    }
  };
  const migrated = await attempt(UNLIMITED, (database) => applyMigrations(database, owner));
  await migrated.destroy();
  // A connection at once: what such connections are refused for is told here rather than to the first caller.
  return attempt(owner.patienceMs ?? PATIENCE_MS, (database) => sql`SELECT 1`.execute(database));
}
