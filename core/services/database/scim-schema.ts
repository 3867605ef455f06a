import type { Migration } from './migrations.ts';

/** The people that the directory has provisioned by SCIM. */
export interface ScimUsersTable {
  readonly id: string;
  readonly user_name: string;
  /** The name as it is compared: without differences of case. */
  readonly user_name_key: string;
  readonly external_id: string | null;
  readonly display_name: string | null;
  readonly display_name_key: string | null;
  /** 1: the person can sign in and use keys. 0 and null: not. */
  readonly active: number | null;
  /** The other attributes, as JSON. */
  readonly attributes: string;
  readonly created_at: number;
  readonly modified_at: number;
  /** Grows with each change. */
  readonly version: number;
}

/** The groups that the directory has provisioned. */
export interface ScimGroupsTable {
  readonly id: string;
  readonly display_name: string;
  readonly display_name_key: string;
  readonly external_id: string | null;
  readonly created_at: number;
  readonly modified_at: number;
  readonly version: number;
}

/** Which users are in which groups. */
export interface ScimMembersTable {
  readonly group_id: string;
  readonly user_id: string;
}

/** The user of each person that has signed in, or is known by the subject. Kept when the user is deleted. */
export interface ScimPeopleTable {
  /** Issuer and subject, as in `keys.owner_id`. */
  readonly person_id: string;
  readonly user_id: string;
}

export const scimMigration: Migration = {
  name: '011-scim',
  sql: ({ text, integer, strict }) => [
    `CREATE TABLE scim_users (
      id ${text} PRIMARY KEY,
      user_name ${text} NOT NULL,
      user_name_key ${text} NOT NULL UNIQUE,
      external_id ${text} UNIQUE,
      display_name ${text},
      display_name_key ${text},
      active ${integer},
      attributes ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      modified_at ${integer} NOT NULL,
      version ${integer} NOT NULL
    ) ${strict}`,
    'CREATE INDEX scim_users_display_name ON scim_users (display_name_key)',
    'CREATE INDEX scim_users_created_at ON scim_users (created_at, id)',
    `CREATE TABLE scim_groups (
      id ${text} PRIMARY KEY,
      display_name ${text} NOT NULL,
      display_name_key ${text} NOT NULL,
      external_id ${text},
      created_at ${integer} NOT NULL,
      modified_at ${integer} NOT NULL,
      version ${integer} NOT NULL
    ) ${strict}`,
    'CREATE INDEX scim_groups_display_name ON scim_groups (display_name_key)',
    'CREATE INDEX scim_groups_external_id ON scim_groups (external_id)',
    `CREATE TABLE scim_members (
      group_id ${text} NOT NULL,
      user_id ${text} NOT NULL,
      PRIMARY KEY (group_id, user_id)
    ) ${strict}`,
    'CREATE INDEX scim_members_user_id ON scim_members (user_id)',
    `CREATE TABLE scim_people (
      person_id ${text} PRIMARY KEY,
      user_id ${text} NOT NULL
    ) ${strict}`,
    'CREATE INDEX scim_people_user_id ON scim_people (user_id)',
  ],
};
