import type { KeyRecord } from '../contracts/caller.ts';
import { sql, type Database } from '../services/database/database.ts';
import { withAdvisoryLock } from '../services/database/advisory-lock.ts';
import { dialectOf } from '../services/database/dialect.ts';
import { inParts } from '../services/database/in-parts.ts';
import type { KeyChange } from '../config/validate/read-key.ts';
import type { KeyFilter } from './listed-key.ts';
import { findNamed, findPresent, findSimilar, ownedBy, type KeyScope, type QualifiedName } from './lookup/find-keys.ts';
import { readStoredPage, type KeyQuery, type Positioned } from './key-page.ts';
import { readRecord, readStoredKey, states, writeChange, writeRow, type KeyEntry, type StoredKey } from './key-row.ts';

export type { KeyEntry, KeyFilter, KeyScope, QualifiedName, StoredKey };

/** A new key of a person, and the one that it replaces, if any. */
export interface PersonalEntry {
  readonly entry: KeyEntry & { readonly ownerId: string };
  /**
   * Decides with all keys of the person, and all keys of the same name in the project. What it throws changes nothing.
   */
  check(present: readonly StoredKey[]): void;
  readonly replaces?: { readonly id: string; readonly endsAt: number };
}

/** A stored key before and after a change. */
export interface StoredChange {
  readonly before: StoredKey;
  readonly after: StoredKey;
}

/** The keys that were changed or deleted since a position, also by a change of the directory (`admin.scim`). */
export interface KeyChanges {
  readonly position: number;
  /** Undefined: there is no such position, or no list of all changes since. Any key may have changed. */
  readonly digests?: readonly Uint8Array[];
}

/** The keys in the database. Methods reject with `KOINE_STORE_FAILED` when the database is unavailable. */
export interface KeyTable {
  insert(entry: KeyEntry): Promise<void>;
  /**
   * Inserts the key of a person if the check allows it. Of several for one database, in any process, each sees the ones
   * before.
   * @returns false, and nothing is changed, if the key that it replaces is revoked or gone
   */
  insertPersonal(personal: PersonalEntry): Promise<boolean>;
  /** Inserts all or none. */
  insertAll(entries: readonly KeyEntry[]): Promise<void>;
  /** Atomically inserts the key if the table is empty. Returns false if it is not. */
  insertFirst(entry: KeyEntry): Promise<boolean>;
  /** Oldest first. */
  list(filter?: KeyFilter): Promise<readonly StoredKey[]>;
  /** The keys of a name, the newest first. @param limit the largest number of keys */
  findNamed(name: string, where: KeyScope, limit: number): Promise<readonly StoredKey[]>;
  /** Some names of keys that begin like this one. */
  findSimilar(name: string, where: KeyScope): Promise<readonly string[]>;
  /** Those of the names that have a key which is not revoked. */
  findPresent(names: readonly QualifiedName[]): Promise<readonly QualifiedName[]>;
  /** A part of the list, in any order. */
  page(query: KeyQuery): Promise<readonly Positioned<StoredKey>[]>;
  /** Changes with each key that is created, changed or deleted. */
  version(): Promise<string>;
  get(id: string): Promise<StoredKey | undefined>;
  find(digest: Uint8Array): Promise<KeyRecord | undefined>;
  /** What has changed after an earlier position. The changes of one position are seen before those of the next. */
  readChanges(after?: number): Promise<KeyChanges>;
  /**
   * Changes a key, unless it is revoked meanwhile. Of several changes, in any process, each sees the one before.
   * @param decide returns the change of the present key. What it throws changes nothing
   * @returns undefined if there is no such key
   */
  change(id: string, decide: (present: StoredKey) => KeyChange): Promise<StoredChange | undefined>;
  /**
   * Permanently revokes a key at this time (Unix milliseconds), if it is not revoked already. Returns false if there is
   * no such key.
   */
  revoke(id: string, at: number): Promise<boolean>;
  /**
   * Sets the expiry of a key (Unix milliseconds), unless it already expires earlier. Returns false if there is no such
   * key or it is revoked.
   */
  expire(id: string, at: number): Promise<boolean>;
}

const insertAll = (database: Database, entries: readonly KeyEntry[]): Promise<void> =>
  database
    .transaction()
    .execute((transaction) =>
      inParts(entries, (part) => transaction.insertInto('keys').values(part.map(writeRow)).execute()),
    );

/** Sets the expiry of a key, unless it already expires earlier. */
const expire = (database: Database, id: string, at: number) =>
  database
    .updateTable('keys')
    .where('id', '=', id)
    .where('disabled', '<>', states.revoked)
    .set(({ eb, val }) => ({
      expires_at: eb.case().when('expires_at', '<', at).then(eb.ref('expires_at')).else(val(at)).end(),
    }))
    .executeTakeFirst();

const insertPersonal = (database: Database, { entry, check, replaces }: PersonalEntry): Promise<boolean> =>
  withAdvisoryLock(database, 'keys', async (transaction) => {
    const present = await transaction
      .selectFrom('keys')
      .selectAll()
      .where(({ eb, and, or }) =>
        or([
          eb('owner_id', '=', entry.ownerId),
          and([
            eb('organization', '=', entry.organization),
            eb('project', '=', entry.project),
            eb('name', '=', entry.name),
          ]),
        ]),
      )
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    check(present.map(readStoredKey));
    if (replaces !== undefined && (await expire(transaction, replaces.id, replaces.endsAt)).numUpdatedRows !== 1n)
      return false;
    await transaction.insertInto('keys').values(writeRow(entry)).execute();
    return true;
  });

const change = (database: Database, ...[id, decide]: Parameters<KeyTable['change']>): ReturnType<KeyTable['change']> =>
  withAdvisoryLock(database, 'keys', async (transaction) => {
    const row = transaction.selectFrom('keys').selectAll().where('id', '=', id);
    const present = await row.executeTakeFirst();
    if (present === undefined) return undefined;
    const before = readStoredKey(present);
    const columns = writeChange(decide(before));
    if (Object.keys(columns).length > 0)
      await transaction
        .updateTable('keys')
        .set(columns)
        .where('id', '=', id)
        .where('disabled', '<>', states.revoked)
        .execute();
    return { before, after: readStoredKey(await row.executeTakeFirstOrThrow()) };
  });

const readChanges = async (database: Database, after?: number): Promise<KeyChanges> => {
  let query = database.selectFrom('key_changes').select(['position', 'digest']);
  query =
    after === undefined
      ? query.orderBy('position', 'desc').limit(1)
      : query.where('position', '>=', after).orderBy('position');
  const rows = await query.execute();
  const position = rows.at(-1)?.position ?? 0;
  // The entry of the earlier position is still there: so are all after it.
  if (rows[0]?.position !== after)
    return after !== undefined && rows.length === 0 ? readChanges(database) : { position };
  const digests = rows.slice(1).map(({ digest }) => digest);
  return digests.every((digest) => digest !== null) ? { position, digests } : { position };
};

/** Postgres has an entry for new keys, and SQLite numbers them. */
const readVersion = async (database: Database, isPostgres: boolean): Promise<string> => {
  const { position } = await readChanges(database);
  if (isPostgres) return String(position);
  const last = database.selectFrom('keys').select(sql<number | null>`max(rowid)`.as('number'));
  return `${(await last.executeTakeFirstOrThrow()).number ?? 0}.${position}`;
};

const find = async (database: Database, digest: Uint8Array): Promise<KeyRecord | undefined> => {
  const row = await database
    .selectFrom('keys')
    .leftJoin('scim_people as person', 'person.person_id', 'keys.owner_id')
    .leftJoin('scim_users as user', 'user.id', 'person.user_id')
    .selectAll('keys')
    .select(['person.user_id as scim_user', 'user.active as scim_active'])
    .where('keys.digest', '=', digest)
    .executeTakeFirst();
  return row === undefined ? undefined : readRecord(row);
};

export function createKeyTable(database: Database): KeyTable {
  const isPostgres = dialectOf(database).name === 'postgres';
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
    insertPersonal: (personal) => insertPersonal(database, personal),
    insertAll: (entries) => insertAll(database, entries),
    list: async ({ organization, project, owner } = {}) => {
      let query = database.selectFrom(owner === undefined ? 'keys' : ownedBy(owner).as('keys')).selectAll();
      if (organization !== undefined) query = query.where('organization', '=', organization);
      if (project !== undefined) query = query.where('project', '=', project);
      return (await query.orderBy('created_at').orderBy('id').execute()).map(readStoredKey);
    },
    findNamed: (name, where, limit) => findNamed(database, name, where, limit),
    findSimilar: (name, where) => findSimilar(database, name, where),
    findPresent: (names) => findPresent(database, names),
    page: (query) => readStoredPage(database, isPostgres, query),
    version: () => readVersion(database, isPostgres),
    get: async (id) => {
      const row = await database.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : readStoredKey(row);
    },
    find: (digest) => find(database, digest),
    readChanges: (after) => readChanges(database, after),
    change: (id, decide) => change(database, id, decide),
    revoke: async (id, at) => {
      const revoked = database
        .updateTable('keys')
        .where('id', '=', id)
        .set(({ fn, val }) => ({ disabled: states.revoked, revoked_at: fn.coalesce('revoked_at', val(at)) }));
      return (await revoked.executeTakeFirst()).numUpdatedRows === 1n;
    },
    expire: async (id, at) => (await expire(database, id, at)).numUpdatedRows === 1n,
  };
}
