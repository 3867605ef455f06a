import type { Limit } from '../../contracts/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { parseJson } from '../../framing/json.ts';
import { withAdvisoryLock } from '../../services/database/advisory-lock.ts';
import type { Database } from '../../services/database/database.ts';
import type { TenantsTable } from '../../services/tenants/schema.ts';
import { states } from '../key-row.ts';
import { isLimit } from '../stored-limit.ts';

/** An organization, or one of its projects. */
export interface TenantName {
  readonly organization: string;
  /** Absent: the organization itself. */
  readonly project?: string;
}

/** An organization or a project of the database. Times are Unix milliseconds. */
export interface StoredTenant extends TenantName {
  readonly limits: readonly Limit[];
  readonly keyLimits?: readonly Limit[];
  readonly createdAt: number;
  readonly changedAt: number;
}

/** `acme` or `acme/web`: no name has a slash. */
export const pathOf = ({ organization, project }: TenantName): string =>
  project === undefined ? organization : `${organization}/${project}`;

/** A tenant before and after a change. undefined: there is none. */
export interface TenantChange {
  readonly before: StoredTenant | undefined;
  readonly after: StoredTenant | undefined;
}

/** The tenants of the database. Methods reject with `KOINE_STORE_FAILED` when it fails, or a row is damaged. */
export interface TenantTable {
  list(): Promise<readonly StoredTenant[]>;
  /** Grows with each change. */
  version(): Promise<number>;
  /**
   * Changes a tenant. Of several changes, in any process, each sees the one before.
   * @param decide returns the new state; undefined removes it. What it throws changes nothing
   */
  change(
    name: TenantName,
    decide: (present: StoredTenant | undefined, all: readonly StoredTenant[]) => StoredTenant | undefined,
  ): Promise<TenantChange>;
  /** Whether a key of the database that is not revoked belongs to it. */
  hasKeys(name: TenantName): Promise<boolean>;
}

/** A damaged list must not be treated as no limits. */
const readLimits = (text: string, { organization, project }: TenantsTable): readonly Limit[] => {
  const limits = parseJson(text);
  if (Array.isArray(limits) && limits.every(isLimit)) return limits;
  throw new GatewayError(
    'KOINE_STORE_FAILED',
    `The limits of ${organization}/${project} in the table tenants cannot be read.`,
  );
};

const readRow = (row: TenantsTable): StoredTenant => ({
  organization: row.organization,
  ...(row.project === '' ? {} : { project: row.project }),
  limits: readLimits(row.limits, row),
  ...(row.key_limits === null ? {} : { keyLimits: readLimits(row.key_limits, row) }),
  createdAt: row.created_at,
  changedAt: row.changed_at,
});

const writeRow = ({ organization, project = '', limits, keyLimits, createdAt, changedAt }: StoredTenant) => ({
  organization,
  project,
  limits: JSON.stringify(limits),
  key_limits: keyLimits === undefined ? null : JSON.stringify(keyLimits),
  created_at: createdAt,
  changed_at: changedAt,
});

const list = async (database: Database): Promise<readonly StoredTenant[]> =>
  (await database.selectFrom('tenants').selectAll().orderBy('organization').orderBy('project').execute()).map(readRow);

/** Each thread makes this query each second: it is compiled once. */
const createReadVersion = (database: Database): TenantTable['version'] => {
  const query = database.selectFrom('tenant_state').select('version').compile();
  return async () => (await database.executeQuery(query)).rows[0]?.version ?? 0;
};

export const createTenantTable = (database: Database): TenantTable => ({
  list: () => list(database),
  version: createReadVersion(database),
  change: (name, decide) =>
    withAdvisoryLock(database, 'tenants', async (transaction) => {
      const all = await list(transaction);
      const before = all.find((tenant) => pathOf(tenant) === pathOf(name));
      const after = decide(before, all);
      await transaction
        .deleteFrom('tenants')
        .where('organization', '=', name.organization)
        .where('project', '=', name.project ?? '')
        .execute();
      if (after !== undefined) await transaction.insertInto('tenants').values(writeRow(after)).execute();
      await transaction
        .updateTable('tenant_state')
        .set(({ eb }) => ({ version: eb('version', '+', 1) }))
        .execute();
      return { before, after };
    }),
  hasKeys: async ({ organization, project }) => {
    let keys = database.selectFrom('keys').select('id').where('organization', '=', organization).limit(1);
    if (project !== undefined) keys = keys.where('project', '=', project);
    return (await keys.where('disabled', '<>', states.revoked).executeTakeFirst()) !== undefined;
  },
});
