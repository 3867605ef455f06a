import { readClaim } from '../canonical/json/read-claim.ts';
import { fold } from '../canonical/text/fold.ts';
import type { ScimConfig } from '../config/admin-config.ts';
import type { Database } from '../services/database/database.ts';
import type { ScimUsersTable } from '../services/database/scim-schema.ts';
import { states } from './key-row.ts';

/** What the directory says about a person. */
export interface Provisioned {
  /** False also for a person whose user was deleted. */
  readonly active: boolean;
  /** The names of the person's groups. */
  readonly groups: readonly string[];
}

/**
 * Ties people, known by issuer and subject, to the users that the directory has provisioned. Methods reject with
 * `KOINE_STORE_FAILED` while the database is unavailable.
 */
export interface People {
  /** @param personId issuer and subject. @returns undefined if the directory never had a user for the person */
  find(personId: string): Promise<Provisioned | undefined>;
  /** The people who are tied to a user, also to one that was deleted. */
  peopleOf(userId: string): Promise<readonly string[]>;
  /** Ties a person to the user with the person's claim. Without such a user, the person stays tied as before. */
  bindPerson(personId: string, claims: Readonly<Record<string, unknown>>): Promise<void>;
  /** Ties a user to its person, if the attribute that identifies users is the subject. */
  bindUser(database: Database, user: Pick<ScimUsersTable, 'id' | 'user_name' | 'external_id'>): Promise<void>;
  /** Revokes the keys of the person permanently. The person stays known as one whose user was deleted. */
  forgetUser(database: Database, userId: string, at: number): Promise<void>;
}

const bind = async (database: Database, personId: string, userId: string): Promise<void> => {
  await database
    .insertInto('scim_people')
    .values({ person_id: personId, user_id: userId })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ user_id: userId }))
    .execute();
};

const find = async (database: Database, personId: string): Promise<Provisioned | undefined> => {
  const user = await database
    .selectFrom('scim_people as person')
    .leftJoin('scim_users as user', 'user.id', 'person.user_id')
    .select(['person.user_id', 'user.active'])
    .where('person.person_id', '=', personId)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const groups = await database
    .selectFrom('scim_members as member')
    .innerJoin('scim_groups as group', 'group.id', 'member.group_id')
    .select('group.display_name')
    .where('member.user_id', '=', user.user_id)
    .execute();
  return { active: user.active === 1, groups: groups.map(({ display_name: name }) => name) };
};

/** An e-mail address that the provider has not verified can be that of another person. */
const readMatch = (claims: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = readClaim(claims, name);
  const isUnverified = name === 'email' && claims['email_verified'] !== true;
  return typeof value === 'string' && value !== '' && !value.includes('\0') && !isUnverified ? value : undefined;
};

/** @param issuer of the people who sign in */
export function createPeople(database: Database, issuer: string, { match }: Pick<ScimConfig, 'match'>): People {
  return {
    find: (personId) => find(database, personId),
    peopleOf: async (userId) => {
      const rows = await database.selectFrom('scim_people').select('person_id').where('user_id', '=', userId).execute();
      return rows.map(({ person_id: person }) => person);
    },
    bindPerson: async (personId, claims) => {
      const value = readMatch(claims, match.claim);
      if (value === undefined) return;
      const users = database.selectFrom('scim_users').select('id');
      const user = await (
        match.attribute === 'userName'
          ? users.where('user_name_key', '=', fold(value))
          : users.where('external_id', '=', value)
      ).executeTakeFirst();
      if (user !== undefined) await bind(database, personId, user.id);
    },
    bindUser: async (transaction, user) => {
      const subject = match.attribute === 'userName' ? user.user_name : user.external_id;
      if (match.claim === 'sub' && subject !== null) await bind(transaction, `${issuer} ${subject}`, user.id);
    },
    forgetUser: async (transaction, userId, at) => {
      await transaction
        .updateTable('keys')
        .set(({ fn, val }) => ({ disabled: states.revoked, revoked_at: fn.coalesce('revoked_at', val(at)) }))
        .where('disabled', '<>', states.revoked)
        .where('owner_id', 'in', ({ selectFrom }) =>
          selectFrom('scim_people').select('person_id').where('user_id', '=', userId),
        )
        .execute();
    },
  };
}
