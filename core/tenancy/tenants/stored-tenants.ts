import type { GatewayConfig, OrganizationConfig } from '../../config/gateway-config.ts';
import type { Log } from '../../contracts/services.ts';
import { pathOf, type StoredTenant, type TenantTable } from './tenant-table.ts';

/** A change takes effect within this time in every thread. */
const FRESH_MS = 1_000;

type Organizations = GatewayConfig['organizations'];

/** Those of the file, with those of the database beside them. Where both have one, that of the file applies. */
export function mergeTenants(configured: Organizations, stored: Iterable<StoredTenant>): Organizations {
  const merged: Record<string, OrganizationConfig> = { ...configured };
  for (const { organization, project, limits, keyLimits } of stored) {
    const level = keyLimits === undefined ? { limits } : { limits, keyLimits };
    const present = Object.hasOwn(merged, organization) ? merged[organization] : undefined;
    if (project === undefined) {
      if (Object.hasOwn(configured, organization)) continue;
      merged[organization] = { ...level, projects: present?.projects ?? {} };
      continue;
    }
    const { projects, ...rest } = present ?? { limits: [], projects: {} };
    if (!Object.hasOwn(projects, project))
      merged[organization] = { ...rest, projects: { ...projects, [project]: { ...level, keys: {} } } };
  }
  return merged;
}

/**
 * The organizations and projects of the database, in the memory of a thread. A query each second shows whether one has
 * changed. While the database fails, the last known ones apply.
 */
export class StoredTenants {
  /** Grows when a change is read. */
  version = 0;
  readonly #table: Pick<TenantTable, 'list' | 'version'>;
  readonly #log: Pick<Log, 'warn' | 'info'>;
  #tenants: readonly StoredTenant[] = [];
  /** Of the database. */
  #seen = -1;
  #reading: Promise<void> | undefined;
  #isDown = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(table: Pick<TenantTable, 'list' | 'version'>, log: Pick<Log, 'warn' | 'info'>) {
    this.#table = table;
    this.#log = log;
  }

  /** Reads them, and from then on each second what has changed. @throws GatewayError `KOINE_STORE_FAILED` */
  async open(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => void this.#poll(), FRESH_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Reads what has changed. Concurrent calls share one query. */
  refresh(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    }));
  }

  list(): readonly StoredTenant[] {
    return this.#tenants;
  }

  async #read(): Promise<void> {
    const version = await this.#table.version();
    if (version === this.#seen) return;
    // What changes meanwhile is read again with the next version.
    const tenants = await this.#table.list();
    this.#tenants = tenants.toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
    this.#seen = version;
    this.version += 1;
  }

  async #poll(): Promise<void> {
    try {
      await this.refresh();
      if (this.#isDown) this.#log.info({}, 'the organizations of the database are read again');
      this.#isDown = false;
    } catch (error) {
      if (!this.#isDown)
        this.#log.warn({ error }, 'the organizations of the database cannot be read; the last known ones apply');
      this.#isDown = true;
    }
  }
}
