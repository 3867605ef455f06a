import type { Migration } from '../database/migrations.ts';

/** Organizations and projects that operators have made with the admin API. Times are Unix milliseconds. */
export interface TenantsTable {
  readonly organization: string;
  /** Empty: the row is the organization itself. */
  readonly project: string;
  /** JSON array: what all of its keys share. */
  readonly limits: string;
  /** JSON array: the limits of each of its keys; null: those of the level above. */
  readonly key_limits: string | null;
  readonly created_at: number;
  readonly changed_at: number;
}

/** A single row. `version` grows with each change of a tenant, in its transaction. */
export interface TenantStateTable {
  readonly id: number;
  readonly version: number;
}

export const tenantsMigration: Migration = {
  name: '017-tenants',
  sql: ({ text, integer, strict }) => [
    `CREATE TABLE tenants (
      organization ${text} NOT NULL,
      project ${text} NOT NULL,
      limits ${text} NOT NULL,
      key_limits ${text},
      created_at ${integer} NOT NULL,
      changed_at ${integer} NOT NULL,
      PRIMARY KEY (organization, project)
    ) ${strict}`,
    `CREATE TABLE tenant_state (id ${integer} PRIMARY KEY CHECK (id = 1), version ${integer} NOT NULL) ${strict}`,
    'INSERT INTO tenant_state (id, version) VALUES (1, 0)',
  ],
};
