import { backgroundMigration, type BackgroundTable } from '../background/schema.ts';
import { createdKeysMigration, keyChangesMigration, type KeyChangesTable } from './key-changes-schema.ts';
import { tenantsMigration, type TenantsTable, type TenantStateTable } from '../tenants/schema.ts';
import type { DatabaseOwner } from './migrations.ts';
import {
  scimMigration,
  type ScimGroupsTable,
  type ScimMembersTable,
  type ScimPeopleTable,
  type ScimUsersTable,
} from './scim-schema.ts';

/** The tables of the gateway, as Kysely types. Times are Unix milliseconds. */
export interface GatewaySchema {
  readonly keys: KeysTable;
  readonly key_changes: KeyChangesTable;
  readonly background_responses: BackgroundTable;
  readonly prices: PricesTable;
  readonly audit: AuditTable;
  readonly audit_chain: AuditChainTable;
  readonly scim_users: ScimUsersTable;
  readonly scim_groups: ScimGroupsTable;
  readonly scim_members: ScimMembersTable;
  readonly scim_people: ScimPeopleTable;
  readonly tenants: TenantsTable;
  readonly tenant_state: TenantStateTable;
}

/** The keys that `koine keys` and the admin API have created. */
export interface KeysTable {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the whole key. The key itself is not stored. */
  readonly digest: Uint8Array;
  /** The public prefix of the key, by which people recognise it. */
  readonly prefix: string;
  readonly organization: string;
  readonly project: string;
  /** JSON array of patterns. */
  readonly models: string;
  /** 0: the key is valid. 1: it is revoked, permanently. 2: it is disabled, and can be enabled. */
  readonly disabled: number;
  readonly created_at: number;
  readonly expires_at: number | null;
  /** JSON array of the key's own limits; null: those of its project, organization or the gateway apply. */
  readonly limits: string | null;
  /** `allow`, `warn` or `reject`; null: the policy of the route applies. */
  readonly losses: string | null;
  /** `allow` or `refuse`; null: the policy of the route applies. */
  readonly vendor_state: string | null;
  /** `off` or `on`; null: the setting of the route applies. */
  readonly cost_headers: string | null;
  /** `drop` or `refuse`; null: the setting of the route applies. */
  readonly hosted_tools: string | null;
  /** JSON object of texts; null: none. */
  readonly tags: string | null;
  /** JSON object of texts, which the gateway does not use; null: none. */
  readonly metadata: string | null;
  /** The person whose key it is, as shown; null: none. */
  readonly owner: string | null;
  /** Issuer and subject of the person who has made the key; null: an operator has made it. */
  readonly owner_id: string | null;
  /** When the key was revoked; null: it is not, or it was before this column existed. */
  readonly revoked_at: number | null;
}

/** Every price that a target has had since this table exists. */
export interface PricesTable {
  readonly target: string;
  /** Digest of the figures. */
  readonly version: string;
  /** The figures as JSON, nano-dollars as strings. */
  readonly price: string;
  readonly page: string;
  readonly seen: string | null;
  readonly first_seen_at: number;
}

/** The calls of the admin listener that have changed something, or were refused by role. */
export interface AuditTable {
  readonly id: string;
  readonly at: number;
  /** `person`, `token`, `scim`, `loopback` or `cli`; null: written before this column existed. */
  readonly kind: string | null;
  /** The name as shown. It identifies no one: a person is known by issuer and subject. */
  readonly actor: string;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly role: string;
  /** Method and declared path: `POST /admin/keys`. */
  readonly action: string;
  readonly target: string | null;
  /** JSON without secrets. */
  readonly before: string | null;
  readonly after: string | null;
  readonly status: number;
  /** How many calls the entry stands for. */
  readonly count: number;
  readonly address: string | null;
  /** The order of the entries; null, like both digests: written before the chain existed. */
  readonly position: number | null;
  /** The digest of the entry before. */
  readonly previous: string | null;
  /** SHA-256 of the entry and of `previous`, in hex. */
  readonly digest: string | null;
}

/** The ends of the chain of the audit log, in a single row. */
export interface AuditChainTable {
  readonly id: number;
  /** Position and digest of the newest entry. */
  readonly position: number;
  readonly head: string;
  /** The digest of the last entry that was deleted after its retention. */
  readonly pruned: string;
  /** How many entries there are from before the chain. */
  readonly unchained: number;
}

/** What the first entry of the audit log has as the digest of the one before. */
const AUDIT_ORIGIN = '0'.repeat(64);

/** Key names are not unique: two keys of one name overlap while a key is rotated. */
export const gatewayTables: DatabaseOwner = {
  name: '',
  // Requests wait for the lookup of their key, which uses an index.
  timeoutMs: 2_000,
  migrations: [
    {
      name: '001-keys',
      sql: ({ text, bytes, integer, strict }) => [
        `CREATE TABLE keys (
          id ${text} PRIMARY KEY,
          name ${text} NOT NULL,
          digest ${bytes} NOT NULL UNIQUE CHECK (length(digest) = 32),
          prefix ${text} NOT NULL,
          organization ${text} NOT NULL,
          project ${text} NOT NULL,
          models ${text} NOT NULL,
          disabled ${integer} NOT NULL DEFAULT 0,
          created_at ${integer} NOT NULL,
          expires_at ${integer}
        ) ${strict}`,
      ],
    },
    {
      name: '002-limits-of-keys',
      sql: ({ text }) => ['limits', 'losses'].map((column) => `ALTER TABLE keys ADD COLUMN ${column} ${text}`),
    },
    {
      name: '003-prices',
      sql: ({ text, integer, strict }) => [
        `CREATE TABLE prices (
          target ${text} NOT NULL,
          version ${text} NOT NULL,
          price ${text} NOT NULL,
          page ${text} NOT NULL,
          seen ${text},
          first_seen_at ${integer} NOT NULL,
          PRIMARY KEY (target, version)
        ) ${strict}`,
      ],
    },
    { name: '004-vendor-state-of-keys', sql: ({ text }) => [`ALTER TABLE keys ADD COLUMN vendor_state ${text}`] },
    { name: '005-cost-headers-of-keys', sql: ({ text }) => [`ALTER TABLE keys ADD COLUMN cost_headers ${text}`] },
    { name: '006-hosted-tools-of-keys', sql: ({ text }) => [`ALTER TABLE keys ADD COLUMN hosted_tools ${text}`] },
    {
      name: '007-audit',
      sql: ({ text, integer, strict }) => [
        `CREATE TABLE audit (
          id ${text} PRIMARY KEY,
          at ${integer} NOT NULL,
          actor ${text} NOT NULL,
          role ${text} NOT NULL,
          action ${text} NOT NULL,
          target ${text},
          before ${text},
          after ${text},
          status ${integer} NOT NULL,
          address ${text}
        ) ${strict}`,
        'CREATE INDEX audit_at ON audit (at, id)',
      ],
    },
    {
      name: '008-tags-and-metadata-of-keys',
      sql: ({ text }) => ['tags', 'metadata'].map((column) => `ALTER TABLE keys ADD COLUMN ${column} ${text}`),
    },
    {
      name: '009-owners-of-keys',
      sql: ({ text, integer }) => [
        ...['owner', 'owner_id'].map((column) => `ALTER TABLE keys ADD COLUMN ${column} ${text}`),
        `ALTER TABLE keys ADD COLUMN revoked_at ${integer}`,
        'CREATE INDEX keys_owner_id ON keys (owner_id)',
      ],
    },
    {
      name: '010-audit-chain',
      sql: ({ text, integer, strict }) => [
        ...['kind', 'issuer', 'subject', 'previous', 'digest'].map(
          (column) => `ALTER TABLE audit ADD COLUMN ${column} ${text}`,
        ),
        `ALTER TABLE audit ADD COLUMN count ${integer} NOT NULL DEFAULT 1`,
        `ALTER TABLE audit ADD COLUMN position ${integer}`,
        'CREATE UNIQUE INDEX audit_position ON audit (position)',
        'CREATE INDEX audit_subject ON audit (subject)',
        `CREATE TABLE audit_chain (
          id ${integer} PRIMARY KEY CHECK (id = 1),
          position ${integer} NOT NULL,
          head ${text} NOT NULL,
          pruned ${text} NOT NULL,
          unchained ${integer} NOT NULL
        ) ${strict}`,
        `INSERT INTO audit_chain (id, position, head, pruned, unchained)
          SELECT 1, 0, '${AUDIT_ORIGIN}', '${AUDIT_ORIGIN}', count(*) FROM audit`,
      ],
    },
    scimMigration,
    keyChangesMigration,
    {
      name: '013-list-of-keys',
      sql: () => [
        'CREATE INDEX keys_created_at ON keys (created_at, id)',
        'CREATE INDEX keys_name ON keys (organization, project, name, id)',
      ],
    },
    {
      name: '014-keys-by-name-and-owner',
      sql: () => [
        'CREATE INDEX keys_by_name ON keys (name, created_at, id)',
        'CREATE INDEX keys_owner ON keys (owner)',
      ],
    },
    backgroundMigration,
    createdKeysMigration,
    tenantsMigration,
  ],
};
