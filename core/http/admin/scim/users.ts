import { randomUUID } from 'node:crypto';
import { isObject } from '../../../canonical/json/members.ts';
import { omitUndefined } from '../../../canonical/json/omit-undefined.ts';
import { fold } from '../../../canonical/text/fold.ts';
import type { JsonObject } from '../../../canonical/wire.ts';
import type { Clock } from '../../../contracts/services.ts';
import { parseJson } from '../../../framing/json.ts';
import { withAdvisoryLock } from '../../../services/database/advisory-lock.ts';
import type { Database } from '../../../services/database/database.ts';
import type { ScimUsersTable } from '../../../services/database/scim-schema.ts';
import type { People } from '../../../tenancy/people.ts';
import { filterToSql, type FilterColumns } from './filter-sql.ts';
import { ScimError } from './scim-error.ts';
import type { ListOptions, ResourceStore, StoredResource } from './store.ts';

const columns: FilterColumns = {
  id: { column: 'scim_users.id', type: 'text' },
  username: { column: 'scim_users.user_name_key', type: 'fold' },
  externalid: { column: 'scim_users.external_id', type: 'text' },
  displayname: { column: 'scim_users.display_name_key', type: 'fold' },
  active: { column: 'scim_users.active', type: 'boolean' },
};

const readRow = (row: ScimUsersTable): StoredResource => {
  const others = parseJson(row.attributes);
  return {
    id: row.id,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    version: row.version,
    attributes: omitUndefined({
      externalId: row.external_id ?? undefined,
      userName: row.user_name,
      displayName: row.display_name ?? undefined,
      active: row.active === null ? undefined : row.active === 1,
      ...(isObject(others) ? others : {}),
    }) as JsonObject,
  };
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The columns of the attributes. */
const writeAttributes = (attributes: JsonObject) => {
  const { externalId, userName, displayName, active, ...others } = attributes;
  const displayed = textOf(displayName);
  return {
    user_name: String(userName),
    user_name_key: fold(String(userName)),
    external_id: textOf(externalId),
    display_name: displayed,
    display_name_key: displayed === null ? null : fold(displayed),
    active: active === undefined ? null : Number(active === true),
    attributes: JSON.stringify(others),
  };
};

/** @throws ScimError `uniqueness` */
const checkUnique = async (
  database: Database,
  id: string,
  written: ReturnType<typeof writeAttributes>,
): Promise<void> => {
  const taken = await database
    .selectFrom('scim_users')
    .select(['user_name_key'])
    .where('id', '<>', id)
    .where(({ eb, or }) =>
      or([
        eb('user_name_key', '=', written.user_name_key),
        ...(written.external_id === null ? [] : [eb('external_id', '=', written.external_id)]),
      ]),
    )
    .executeTakeFirst();
  if (taken === undefined) return;
  const name = taken.user_name_key === written.user_name_key ? 'userName' : 'externalId';
  throw new ScimError('uniqueness', `Another user has this ${name}.`);
};

const find = (database: Database, id: string): Promise<ScimUsersTable | undefined> =>
  database.selectFrom('scim_users').selectAll().where('id', '=', id).executeTakeFirst();

/** The users of the directory. */
export class Users implements ResourceStore {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #people: Pick<People, 'bindUser' | 'forgetUser'>;

  /** @param people learns the person of each user that is known by its subject */
  constructor(database: Database, clock: Pick<Clock, 'now'>, people: Pick<People, 'bindUser' | 'forgetUser'>) {
    this.#database = database;
    this.#clock = clock;
    this.#people = people;
  }

  async list({ filter, offset, limit }: ListOptions): ReturnType<ResourceStore['list']> {
    let query = this.#database.selectFrom('scim_users');
    if (filter !== undefined) query = query.where(filterToSql(filter, columns));
    const { total } = await query.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
    const rows = await query.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset).execute();
    return { total: Number(total), found: rows.map(readRow) };
  }

  async get(id: string): Promise<StoredResource | undefined> {
    const row = await find(this.#database, id);
    return row && readRow(row);
  }

  create(attributes: JsonObject): Promise<StoredResource> {
    return withAdvisoryLock(this.#database, 'scim', async (transaction) => {
      const written = writeAttributes({ active: true, ...attributes });
      const now = this.#clock.now();
      const row = { id: randomUUID(), ...written, created_at: now, modified_at: now, version: 1 };
      await checkUnique(transaction, row.id, written);
      await transaction.insertInto('scim_users').values(row).execute();
      await this.#people.bindUser(transaction, row);
      return readRow(row);
    });
  }

  change(id: string, decide: (present: StoredResource) => JsonObject): ReturnType<ResourceStore['change']> {
    return withAdvisoryLock(this.#database, 'scim', async (transaction) => {
      const row = await find(transaction, id);
      if (row === undefined) return undefined;
      const before = readRow(row);
      const attributes = decide(before);
      if (attributes === before.attributes) return { before, after: before };
      const written = writeAttributes(attributes);
      await checkUnique(transaction, id, written);
      const after = { ...row, ...written, modified_at: this.#clock.now(), version: row.version + 1 };
      await transaction.updateTable('scim_users').set(after).where('id', '=', id).execute();
      await this.#people.bindUser(transaction, after);
      return { before, after: readRow(after) };
    });
  }

  remove(id: string, check: (present: StoredResource) => void): Promise<StoredResource | undefined> {
    return withAdvisoryLock(this.#database, 'scim', async (transaction) => {
      const row = await find(transaction, id);
      if (row === undefined) return undefined;
      check(readRow(row));
      await this.#people.forgetUser(transaction, id, this.#clock.now());
      await transaction.deleteFrom('scim_members').where('user_id', '=', id).execute();
      await transaction.deleteFrom('scim_users').where('id', '=', id).execute();
      return readRow(row);
    });
  }
}
