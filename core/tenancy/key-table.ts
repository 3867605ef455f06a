import type { KeyRecord } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';
import { parseJson } from '../framing/json.ts';
import type { Database } from '../services/database.ts';
import type { KeysTable } from '../services/database-schema.ts';
import type { NewKey } from './key-format.ts';

/** A key to be stored: all of it but the secret. */
export interface KeyEntry {
  readonly key: Omit<NewKey, 'text'>;
  readonly name: string;
  readonly organization: string;
  readonly project: string;
  readonly models: readonly string[];
  /** Unix milliseconds, as all times here. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

/** A key as an operator sees it in a list. */
export interface StoredKey extends Omit<KeyEntry, 'key'> {
  readonly id: string;
  readonly prefix: string;
  readonly disabled: boolean;
}

/** The keys in the database. Every method rejects with KOINE_STORE_FAILED where the database cannot be asked. */
export interface KeyTable {
  insert(entry: KeyEntry): Promise<void>;
  /** Inserts only into an empty table, as one atomic step. False: there is a key already. */
  insertFirst(entry: KeyEntry): Promise<boolean>;
  /** Oldest first. */
  list(): Promise<readonly StoredKey[]>;
  find(digest: Uint8Array): Promise<KeyRecord | undefined>;
  /** Revokes a key for good; false where there is no such key. */
  disable(id: string): Promise<boolean>;
}

export const createKeyTable = (database: Database): KeyTable => ({
  insert: async (entry) => {
    await database.insertInto('keys').values(writeRow(entry)).execute();
  },
  insertFirst: async (entry) => {
    const row = writeRow(entry);
    const result = await database
      .insertInto('keys')
      .columns(columns)
      .expression(
        database
          .selectNoFrom((build) => columns.map((column) => build.val(row[column]).as(column)))
          .where((build) => build.not(build.exists(build.selectFrom('keys').select('id')))),
      )
      .executeTakeFirst();
    return result.numInsertedOrUpdatedRows === 1n;
  },
  list: async () => (await database.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute()).map(readStoredKey),
  find: async (digest) => {
    const row = await database.selectFrom('keys').selectAll().where('digest', '=', digest).executeTakeFirst();
    return row === undefined ? undefined : readRecord(row);
  },
  disable: async (id) => (await database.updateTable('keys').set({ disabled: 1 }).where('id', '=', id).executeTakeFirst()).numUpdatedRows === 1n,
});

const columns = ['id', 'name', 'digest', 'prefix', 'organization', 'project', 'models', 'disabled', 'created_at', 'expires_at'] as const;

const writeRow = (entry: KeyEntry): KeysTable => ({
  id: entry.key.id,
  name: entry.name,
  digest: entry.key.digest,
  prefix: entry.key.prefix,
  organization: entry.organization,
  project: entry.project,
  models: JSON.stringify(entry.models),
  disabled: 0,
  created_at: entry.createdAt,
  expires_at: entry.expiresAt ?? null,
});

const readRecord = (row: KeysTable): KeyRecord => ({
  caller: { key: row.name, project: row.project, organization: row.organization, models: readModels(row) },
  digest: row.digest,
  disabled: row.disabled !== 0,
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
});

const readStoredKey = (row: KeysTable): StoredKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  organization: row.organization,
  project: row.project,
  models: readModels(row),
  disabled: row.disabled !== 0,
  createdAt: row.created_at,
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
});

/** An unreadable list is a failure: read as empty it would allow every model. */
const readModels = (row: KeysTable): readonly string[] => {
  const models = parseJson(row.models);
  if (Array.isArray(models) && models.every((model) => typeof model === 'string')) return models;
  throw new GatewayError('KOINE_STORE_FAILED', `The models of the key ${row.prefix} in the database are not a JSON array of texts.`);
};
