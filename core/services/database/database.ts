import type { Kysely } from 'kysely';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { DatabaseOwner } from './migrations.ts';
import { gatewayTables, type GatewaySchema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

export { findExposedFiles } from './sqlite-file.ts';
/**
 * For hand-written SQL with bound values: sql`SELECT ${value}`.execute(database). A `CompiledQuery` has constant SQL,
 * built once.
 */
export { CompiledQuery, sql } from 'kysely';
export type { RawBuilder, SqlBool } from 'kysely';

/**
 * Kysely over `node:sqlite` or Postgres. Queries reject with GatewayError KOINE_STORE_FAILED; `destroy()` closes the
 * database. Both databases return integers as numbers (beyond 2^53 as bigints; `BigInt(value)` is always exact), bytes
 * as Uint8Array, and booleans as 0 or 1.
 */
export type Database<Schema = GatewaySchema> = Kysely<Schema>;

/**
 * Opens the database of `store.database` and runs the pending migrations of one owner; by default those of the gateway
 * itself. Several processes can open the same new database at once. For SQLite the file and its folder are created,
 * accessible to this user only.
 * @param url `sqlite:<path>`, `sqlite::memory:` for a database that lives as long as this connection, or
 * `postgres://user:password@host:port/database`
 * @throws GatewayError KOINE_STORE_FAILED
 */
export async function openDatabase<Schema = GatewaySchema>(
  url: string,
  owner: DatabaseOwner = gatewayTables,
): Promise<Database<Schema>> {
  if (/^sqlite:./.test(url)) return openSqlite(url.slice('sqlite:'.length), owner);
  if (/^postgres(?:ql)?:\/\/./.test(url)) return (await import('./postgres.ts')).openPostgres(url, owner);
  throw new GatewayError(
    'KOINE_STORE_FAILED',
    `store.database is "${url.replace(/\/\/.*/, '//***')}"; ` +
      'write sqlite: and the path of a file, or postgres://user:password@host/database.',
  );
}
