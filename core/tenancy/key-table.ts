import type { KeyRecord } from '../contracts/services.ts';
import type { Database } from '../services/database/database.ts';
import { withAdvisoryLock } from '../services/database/advisory-lock.ts';
import { readRecord, readStoredKey, writeRow, type KeyEntry, type StoredKey } from './key-row.ts';

export type { KeyEntry, StoredKey };

/** Selects keys. An absent member matches any value. */
export interface KeyFilter {
  readonly organization?: string;
  readonly project?: string;
}

/** The keys in the database. Methods reject with `KOINE_STORE_FAILED` when the database is unavailable. */
export interface KeyTable {
  insert(entry: KeyEntry): Promise<void>;
  /** Atomically inserts the key if the table is empty. Returns false if it is not. */
  insertFirst(entry: KeyEntry): Promise<boolean>;
  /**
   * Oldest first.
   * @param limit the largest number of keys; absent: all
   */
  list(filter?: KeyFilter, limit?: number): Promise<readonly StoredKey[]>;
  get(id: string): Promise<StoredKey | undefined>;
  find(digest: Uint8Array): Promise<KeyRecord | undefined>;
  /** Permanently revokes a key. Returns false if there is no such key. */
  disable(id: string): Promise<boolean>;
  /**
   * Sets the expiry of a key (Unix milliseconds), unless it already expires earlier. Returns false if there is no such
   * key or it is revoked.
   */
  expire(id: string, at: number): Promise<boolean>;
}

export function createKeyTable(database: Database): KeyTable {
  const update = (id: string) => database.updateTable('keys').where('id', '=', id);
  return {
    insert: async (entry) => {
      await database.insertInto('keys').values(writeRow(entry)).execute();
    },
    insertFirst: (entry) =>
      withAdvisoryLock(database, 'first key', async (transaction) => {
        if ((await transaction.selectFrom('keys').select('id').limit(1).executeTakeFirst()) !== undefined) return false;
        await transaction.insertInto('keys').values(writeRow(entry)).execute();
        return true;
      }),
    list: async ({ organization, project } = {}, limit) => {
      let query = database.selectFrom('keys').selectAll();
      if (organization !== undefined) query = query.where('organization', '=', organization);
      if (project !== undefined) query = query.where('project', '=', project);
      if (limit !== undefined) query = query.limit(limit);
      return (await query.orderBy('created_at').orderBy('id').execute()).map(readStoredKey);
    },
    get: async (id) => {
      const row = await database.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : readStoredKey(row);
    },
    find: async (digest) => {
      const row = await database.selectFrom('keys').selectAll().where('digest', '=', digest).executeTakeFirst();
      return row === undefined ? undefined : readRecord(row);
    },
    disable: async (id) => (await update(id).set({ disabled: 1 }).executeTakeFirst()).numUpdatedRows === 1n,
    expire: async (id, at) => {
      const earlier = update(id).set(({ eb, val }) => ({
        expires_at: eb.case().when('expires_at', '<', at).then(eb.ref('expires_at')).else(val(at)).end(),
      }));
      return (await earlier.where('disabled', '=', 0).executeTakeFirst()).numUpdatedRows === 1n;
    },
  };
}
