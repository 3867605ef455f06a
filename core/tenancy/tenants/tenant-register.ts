import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { TenantRequest, TenantUpdate } from '../../config/validate/read-tenant.ts';
import { writeLimit } from '../../config/write/write-limit.ts';
import type { Limit } from '../../contracts/caller.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { Clock } from '../../contracts/services.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { writeTime } from '../listed-key.ts';
import { pathOf, type StoredTenant, type TenantName, type TenantTable } from './tenant-table.ts';

/** Those of the database. Each thread has all of them in memory. */
const MOST = 10_000;

/** The JSON form of an organization or a project for operators. */
export interface ListedTenant extends TenantName {
  /** `acme` or `acme/web`. */
  readonly id: string;
  /** In the form of the file: what all keys share. */
  readonly limits: readonly JsonObject[];
  /** Of each key. Absent: those of the level above. */
  readonly keyLimits?: readonly JsonObject[];
  readonly origin: 'configuration' | 'database';
  /** The configuration has the same name, and applies. */
  readonly overridden?: true;
  /** ISO 8601. Absent in the configuration. */
  readonly createdAt?: string;
  readonly changedAt?: string;
}

export interface ChangedTenant {
  readonly before: ListedTenant | undefined;
  readonly after: ListedTenant | undefined;
}

interface Level {
  readonly limits: readonly Limit[];
  readonly keyLimits?: readonly Limit[];
}

const writeLevel = ({ limits, keyLimits }: Level): Pick<ListedTenant, 'limits' | 'keyLimits'> =>
  omitUndefined({ limits: limits.map(writeLimit), keyLimits: keyLimits?.map(writeLimit) });

const listConfigured = (name: TenantName, level: Level): ListedTenant => ({
  id: pathOf(name),
  ...name,
  ...writeLevel(level),
  origin: 'configuration',
});

/** `acme/web` as names. */
const readId = (id: string): TenantName => {
  const slash = id.indexOf('/');
  return slash < 0 ? { organization: id } : { organization: id.slice(0, slash), project: id.slice(slash + 1) };
};

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: TenantTable;
  readonly clock: Pick<Clock, 'now'>;
  /** Called after a change: this thread reads it at once. */
  readonly changed: () => Promise<void>;
}

/**
 * Manages the organizations and projects of the database beside those of the configuration, which can only be changed
 * there. Methods reject with GatewayError `not_found`, `conflict`, `invalid_request`, or `KOINE_STORE_FAILED`.
 */
export class TenantRegister {
  readonly #parts: Parts;
  readonly #configured: ReadonlyMap<string, ListedTenant>;

  constructor(parts: Parts) {
    this.#parts = parts;
    const all = Object.entries(parts.organizations).flatMap(([organization, { projects, ...level }]) => [
      listConfigured({ organization }, level),
      ...Object.entries(projects).map(([project, settings]) => listConfigured({ organization, project }, settings)),
    ]);
    this.#configured = new Map(all.map((tenant) => [tenant.id, tenant]));
  }

  /** All of both, in the order of their ids; of one id, that of the configuration first. */
  async list(): Promise<readonly ListedTenant[]> {
    const stored = (await this.#parts.table.list()).map((tenant) => this.#describe(tenant));
    return [...this.#configured.values(), ...stored].toSorted((one, other) =>
      one.id === other.id ? 0 : one.id < other.id ? -1 : 1,
    );
  }

  /** That of the database, if both have it. */
  async get(id: string): Promise<ListedTenant> {
    const stored = (await this.#parts.table.list()).find((tenant) => pathOf(tenant) === id);
    const found = stored === undefined ? this.#configured.get(id) : this.#describe(stored);
    if (found === undefined) throw this.#refuseUnknown(id);
    return found;
  }

  async create(request: TenantRequest): Promise<ListedTenant> {
    const id = pathOf(request);
    const { organization, project } = request;
    if (this.#configured.has(id)) throw this.#refuseConfigured(id);
    const now = this.#parts.clock.now();
    const { after } = await this.#change(request, (present, all) => {
      if (present !== undefined)
        throw new GatewayError('conflict', `${id} exists already. Change it, or choose another name.`, {
          param: project === undefined ? 'organization' : 'project',
        });
      const hasOrganization = this.#configured.has(organization) || all.some((one) => pathOf(one) === organization);
      if (project !== undefined && !hasOrganization)
        throw invalidRequest(
          'organization',
          `There is no organization ${organization}. Create it first: the project counts against its limits.`,
        );
      if (all.length >= MOST)
        throw new GatewayError('conflict', `The database has ${MOST} organizations and projects, which is the most.`);
      return { ...request, createdAt: now, changedAt: now };
    });
    if (after === undefined) throw this.#refuseUnknown(id);
    return after;
  }

  /** @param check throws to change nothing */
  change(id: string, update: TenantUpdate, check: (present: ListedTenant) => void): Promise<ChangedTenant> {
    const changedAt = this.#parts.clock.now();
    return this.#change(readId(id), (present) => {
      if (present === undefined) throw this.#refuseUnknown(id);
      check(this.#describe(present));
      const { keyLimits: before, ...kept } = present;
      const { limits = kept.limits, keyLimits = before } = update;
      return { ...kept, limits, ...(keyLimits === undefined || keyLimits === null ? {} : { keyLimits }), changedAt };
    });
  }

  /**
   * Removes one that no key uses: its keys would lose their limits. One that the configuration overrides has no effect.
   * @param check throws to change nothing
   */
  async remove(id: string, check: (present: ListedTenant) => void): Promise<ChangedTenant> {
    const name = readId(id);
    const isOverridden = this.#configured.has(id);
    if (!isOverridden && (await this.#parts.table.hasKeys(name)))
      throw new GatewayError(
        'conflict',
        `${id} has keys, which would lose its limits. Revoke them first: GET /admin/keys?find=${id}.`,
        { param: 'id' },
      );
    return this.#change(name, (present, all) => {
      if (present === undefined) throw this.#refuseUnknown(id);
      check(this.#describe(present));
      const isParent = name.project === undefined && !isOverridden;
      const child = all.find((one) => one.project !== undefined && one.organization === name.organization);
      if (isParent && child !== undefined)
        throw new GatewayError('conflict', `${id} has the project ${pathOf(child)}. Remove its projects first.`, {
          param: 'id',
        });
      return undefined;
    });
  }

  async #change(name: TenantName, decide: Parameters<TenantTable['change']>[1]): Promise<ChangedTenant> {
    const { before, after } = await this.#parts.table.change(name, decide);
    await this.#parts.changed();
    return {
      before: before && this.#describe(before),
      after: after && this.#describe(after),
    };
  }

  #describe(tenant: StoredTenant): ListedTenant {
    const { organization, project, createdAt, changedAt } = tenant;
    const id = pathOf(tenant);
    return omitUndefined<ListedTenant>({
      id,
      organization,
      project,
      ...writeLevel(tenant),
      origin: 'database',
      overridden: this.#configured.has(id) ? true : undefined,
      createdAt: writeTime(createdAt),
      changedAt: writeTime(changedAt),
    });
  }

  #refuseUnknown(id: string): GatewayError {
    return this.#configured.has(id)
      ? this.#refuseConfigured(id)
      : new GatewayError('not_found', 'There is no organization or project with this id: acme, or acme/web.', {
          param: 'id',
        });
  }

  #refuseConfigured(id: string): GatewayError {
    const { organization, project } = readId(id);
    const place = `organizations.${organization}${project === undefined ? '' : `.projects.${project}`}`;
    return new GatewayError(
      'conflict',
      `${id} is defined in the configuration (${place}). Change it there, and reload.`,
      { param: 'id' },
    );
  }
}
