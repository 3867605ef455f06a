import type { Kysely } from 'kysely';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { DatabaseOwner } from './migrations.ts';
import { gatewayTables, type GatewaySchema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

export { findExposedFiles } from './sqlite-file.ts';
/** SQL by hand, with its values bound: sql`SELECT ${value}`.execute(database); and text that is made once, with values for each time. */
export { CompiledQuery, sql } from 'kysely';

/**
 * A database: Kysely over `node:sqlite` or Postgres. Its queries reject with GatewayError KOINE_STORE_FAILED. `destroy()` closes it.
 * Both give integers as numbers, beyond 2^53 as bigints (`BigInt(value)` is exact always), bytes as Uint8Array, and no or yes as 0 or 1.
 */
export type Database<Schema = GatewaySchema> = Kysely<Schema>;

/**
 * Opens the database of `store.database` and brings the tables of one owner up to date; without one, those of the gateway itself.
 * Several processes may open the same new database at once. In SQLite it creates the file and its folder, for this user alone.
 * @param url `sqlite:<path>`, `sqlite::memory:` for one that ends with this opening, or `postgres://user:password@host:port/database`
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
    `store.database is "${url.replace(/\/\/.*/, '//***')}"; write sqlite: and the path of a file, or postgres://user:password@host/database.`,
  );
}
