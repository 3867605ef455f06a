import type { Migration } from './database-migrations.ts';

/** The tables of the gateway as Kysely types them. Times are unix milliseconds. */
export interface GatewaySchema {
  readonly keys: KeysTable;
}

export interface KeysTable {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the whole key. The key itself is kept nowhere. */
  readonly digest: Uint8Array;
  /** The public beginning of the key, by which people recognise it. */
  readonly prefix: string;
  readonly organization: string;
  readonly project: string;
  /** JSON array of patterns. */
  readonly models: string;
  readonly disabled: number;
  readonly created_at: number;
  readonly expires_at: number | null;
  /** JSON array of the key's own limits; null: it gets what stands above it. */
  readonly limits: string | null;
  /** `allow`, `warn` or `reject`; null: the route decides alone. */
  readonly losses: string | null;
}

/** In the order in which they run. A name is not unique: two keys of one name are a rotation with an overlap. */
export const gatewayMigrations: readonly Migration[] = [
  {
    name: '001-keys',
    sql: `CREATE TABLE keys (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
      prefix TEXT NOT NULL,
      organization TEXT NOT NULL,
      project TEXT NOT NULL,
      models TEXT NOT NULL,
      disabled INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      expires_at INTEGER
    ) STRICT`,
  },
  { name: '002-limits-of-keys', sql: 'ALTER TABLE keys ADD COLUMN limits TEXT; ALTER TABLE keys ADD COLUMN losses TEXT' },
];
