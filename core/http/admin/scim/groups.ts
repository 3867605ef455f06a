import { randomUUID } from 'node:crypto';
import { isObject } from '../../../canonical/json/members.ts';
import { omitUndefined } from '../../../canonical/json/omit-undefined.ts';
import { fold } from '../../../canonical/text/fold.ts';
import type { JsonObject } from '../../../canonical/wire.ts';
import { readList } from '../../../canonical/json/read.ts';
import type { Clock } from '../../../contracts/services.ts';
import { withAdvisoryLock } from '../../../services/database/advisory-lock.ts';
import { sql, type Database } from '../../../services/database/database.ts';
import { inParts } from '../../../services/database/in-parts.ts';
import type { ScimGroupsTable } from '../../../services/database/scim-schema.ts';
import { filterToSql, type FilterColumns, type FilterRelation } from './filter-sql.ts';
import { ScimError } from './scim-error.ts';
import type { ListOptions, ResourceStore, StoredResource } from './store.ts';

const hasMember: FilterRelation = (value) =>
  sql`EXISTS (SELECT 1 FROM scim_members AS member WHERE member.group_id = scim_groups.id AND ${
    value === undefined ? sql`TRUE` : sql`member.user_id = ${value}`
  })`;

const columns: FilterColumns = {
  id: { column: 'scim_groups.id', type: 'text' },
  externalid: { column: 'scim_groups.external_id', type: 'text' },
  displayname: { column: 'scim_groups.display_name_key', type: 'fold' },
  members: hasMember,
  'members.value': hasMember,
};

const readRow = (row: ScimGroupsTable, members: readonly string[] = []): StoredResource => ({
  id: row.id,
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
  version: row.version,
  attributes: omitUndefined({
    externalId: row.external_id ?? undefined,
    displayName: row.display_name,
    members: members.length === 0 ? undefined : members.map((value) => ({ value, type: 'User' })),
  }) as JsonObject,
});

const membersOf = async (database: Database, id: string): Promise<readonly string[]> => {
  const rows = await database
    .selectFrom('scim_members')
    .select('user_id')
    .where('group_id', '=', id)
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id: user }) => user);
};

const idsOf = ({ members }: JsonObject): ReadonlySet<string> =>
  new Set(
    readList(members).map((member) => {
      const value = isObject(member) ? member['value'] : undefined;
      if (typeof value === 'string') return value;
      throw new ScimError('invalidValue', 'Each of members needs the id of a user as its value.');
    }),
  );

const addMembers = (database: Database, group: string, ids: readonly string[]): Promise<void> =>
  inParts(ids, async (part) => {
    const found = await database.selectFrom('scim_users').select('id').where('id', 'in', part).execute();
    const known = new Set(found.map(({ id }) => id));
    const unknown = part.find((id) => !known.has(id));
    if (unknown !== undefined)
      throw new ScimError(
        'invalidValue',
        `There is no user with the id ${JSON.stringify(unknown.slice(0, 64))} of a member.`,
      );
    await database
      .insertInto('scim_members')
      .values(part.map((user) => ({ group_id: group, user_id: user })))
      .execute();
  });

const removeMembers = (database: Database, group: string, ids: readonly string[]): Promise<void> =>
  inParts(ids, (part) =>
    database.deleteFrom('scim_members').where('group_id', '=', group).where('user_id', 'in', part).execute(),
  );

const writeAttributes = ({ externalId, displayName }: JsonObject) => ({
  display_name: String(displayName),
  display_name_key: fold(String(displayName)),
  external_id: typeof externalId === 'string' ? externalId : null,
});

const find = (database: Database, id: string): Promise<ScimGroupsTable | undefined> =>
  database.selectFrom('scim_groups').selectAll().where('id', '=', id).executeTakeFirst();

const read = async (database: Database, row: ScimGroupsTable, withMembers: boolean): Promise<StoredResource> =>
  readRow(row, withMembers ? await membersOf(database, row.id) : []);

/** The groups of the directory. */
export class Groups implements ResourceStore {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(database: Database, clock: Pick<Clock, 'now'>) {
    this.#database = database;
    this.#clock = clock;
  }

  async list({ filter, offset, limit, withMembers }: ListOptions): ReturnType<ResourceStore['list']> {
    let query = this.#database.selectFrom('scim_groups');
    if (filter !== undefined) query = query.where(filterToSql(filter, columns));
    const { total } = await query.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
    const rows = await query.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset).execute();
    const found: StoredResource[] = [];
    for (const row of rows) found.push(await read(this.#database, row, withMembers));
    return { total: Number(total), found };
  }

  async get(id: string, withMembers: boolean): Promise<StoredResource | undefined> {
    const row = await find(this.#database, id);
    return row && read(this.#database, row, withMembers);
  }

  create(attributes: JsonObject): Promise<StoredResource> {
    return withAdvisoryLock(this.#database, 'scim', async (transaction) => {
      const now = this.#clock.now();
      const row = { id: randomUUID(), ...writeAttributes(attributes), created_at: now, modified_at: now, version: 1 };
      await transaction.insertInto('scim_groups').values(row).execute();
      await addMembers(transaction, row.id, [...idsOf(attributes)]);
      return read(transaction, row, true);
    });
  }

  change(id: string, decide: (present: StoredResource) => JsonObject): ReturnType<ResourceStore['change']> {
    return withAdvisoryLock(this.#database, 'scim', async (transaction) => {
      const row = await find(transaction, id);
      if (row === undefined) return undefined;
      const before = await read(transaction, row, true);
      const attributes = decide(before);
      if (attributes === before.attributes) return { before, after: before };
      const [old, ids] = [idsOf(before.attributes), idsOf(attributes)];
      const [gone, added] = [[...old].filter((each) => !ids.has(each)), [...ids].filter((each) => !old.has(each))];
      await removeMembers(transaction, id, gone);
      await addMembers(transaction, id, added);
      const written = writeAttributes(attributes);
      const after = { ...row, ...written, modified_at: this.#clock.now(), version: row.version + 1 };
      await transaction.updateTable('scim_groups').set(after).where('id', '=', id).execute();
      return { before, after: await read(transaction, after, true) };
    });
  }

  remove(id: string, check: (present: StoredResource) => void): Promise<StoredResource | undefined> {
    return withAdvisoryLock(this.#database, 'scim', async (transaction) => {
      const row = await find(transaction, id);
      if (row === undefined) return undefined;
      check(readRow(row));
      await transaction.deleteFrom('scim_members').where('group_id', '=', id).execute();
      await transaction.deleteFrom('scim_groups').where('id', '=', id).execute();
      return readRow(row);
    });
  }
}
