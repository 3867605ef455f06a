import { folderOf } from '../../config/load.ts';
import type { AdminRouter } from '../../contracts/admin.ts';
import type { PrimaryInstance } from '../../contracts/extension.ts';
import type { PrimaryServices } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { startExtension } from '../../extensions/start.ts';
import { fetchService } from '../../services/network/fetch.ts';
import { createStateHolder } from '../../services/vendor-state/memory-records.ts';
import { createOpenTable, createTables, TABLES } from '../../services/shared-memory/tables.ts';
import { listCallers } from '../../tenancy/list-callers.ts';
import { ConfiguredPages } from '../../tenancy/lookup/configured-pages.ts';
import { createRecentExchanges } from '../admin-calls/recent-exchanges.ts';
import { createLocalLink, type HandleRequest, type LinkPrimary } from '../link/link.ts';
import type { Runtime } from '../runtime.ts';
import { withUnpricedAlerts } from './unpriced-alerts.ts';

/** The name of the core's own primary instance. No package can have it. */
export const CORE = 'the core';
/** The name of the core's records of objects at vendors. No package can have it either. */
export const VENDOR_STATE = 'the vendor state';

/** The name of the core's reader of what workers count. No package can have it either. */
export const METRICS = 'the metrics';

/** The name of the grants of the playground. No package can have it either. */
export const GRANTS = 'the grants';

/** The primary instances of one configuration, by plugin: those of the plugins, and that of the core. */
class PrimaryInstances {
  readonly #byPlugin: Map<string, PrimaryInstance>;
  readonly #log: Runtime['log'];

  constructor(runtime: Runtime) {
    const { shared, log, clock, ownRequests, metrics } = runtime;
    this.#byPlugin = new Map([
      [CORE, withUnpricedAlerts(shared('core/exchanges', createRecentExchanges), runtime)],
      [VENDOR_STATE, shared('core/vendor state', () => createStateHolder(clock))],
      [TABLES, shared('core/tables', createTables)],
      [METRICS, metrics.workers],
      [GRANTS, { handle: (grant) => ownRequests.redeem(grant) }],
    ]);
    this.#log = log;
  }

  add(plugin: string, instance: PrimaryInstance): void {
    this.#byPlugin.set(plugin, instance);
  }

  /** @throws what the instance throws; GatewayError where the plugin has none */
  handle(plugin: string, message: unknown, worker: number): unknown {
    const instance = this.#byPlugin.get(plugin);
    if (instance?.handle === undefined)
      throw new GatewayError(
        'internal_error',
        `The plugin ${plugin} sent a request to its primary instance, but has none that handles requests.`,
      );
    return instance.handle(message, worker);
  }

  workerGone(worker: number): void {
    this.#notify((instance) => instance.onWorkerExit?.(worker), 'a plugin failed to release what a lost worker held');
  }

  /** Adds the admin pages and calls of each instance, with its plugin as their owner. */
  addAdmin(routerOf: (owner: string) => AdminRouter): void {
    for (const [plugin, instance] of this.#byPlugin)
      instance.admin?.(routerOf(plugin === CORE ? CORE : `the plugin ${plugin}`));
  }

  /** What has been spent, from the one plugin that keeps a ledger. */
  async spent(query: Parameters<PrimaryServices['spent']>[0]): Promise<bigint | undefined> {
    return this.#byPlugin
      .values()
      .find(({ spent }) => spent !== undefined)
      ?.spent?.(query);
  }

  spendingFound(): void {
    this.#notify((instance) => instance.onSpendingFound?.(), 'a plugin failed to add spending that was found later');
  }

  #notify(call: (instance: PrimaryInstance) => void, failure: string): void {
    for (const [plugin, instance] of this.#byPlugin) {
      try {
        call(instance);
      } catch (error) {
        this.#log.error({ error, plugin }, failure);
      }
    }
  }
}

const createServices = (
  { loaded, log, clock, table, keys, tenancy, redis, metrics, shared, alerts }: Runtime,
  plugin: string,
  instances: PrimaryInstances,
): PrimaryServices => {
  const { organizations, store } = loaded.config;
  const configured = new ConfiguredPages(organizations);
  return {
    log: log.child({ extension: plugin }),
    clock,
    keys,
    tenancy,
    redis,
    metrics,
    fetch: fetchService,
    databaseUrl: store.database,
    folder: folderOf(loaded),
    spent: (query) => instances.spent(query),
    notifySpendingFound: () => instances.spendingFound(),
    alert: (alert) => alerts.raise(alert),
    callers: (filter) => listCallers({ configured, table, clock }, filter),
    shared,
    sharedTable: createOpenTable(plugin, { call: (message) => instances.handle(TABLES, message, 0) }),
  };
};

/** Starts the primary instance of every plugin that has one. */
async function startPrimaryInstances(runtime: Runtime): Promise<PrimaryInstances> {
  const { loaded, opened } = runtime;
  const instances = new PrimaryInstances(runtime);
  for (const [index, extension] of loaded.extensions.plugins.entries()) {
    const { definition, use } = extension;
    if (definition.primary === undefined) continue;
    const services = createServices(runtime, use, instances);
    const instance = await startExtension(
      extension,
      () => definition.primary?.(loaded.config.plugins[index]?.config, services) ?? {},
    );
    opened.push({ name: `primary instance of ${use}`, close: () => instance.close?.() });
    instances.add(use, instance);
  }
  return instances;
}

/** The primary instances of every configuration generation that has not retired. */
export class InstanceRegistry {
  readonly #byGeneration = new Map<number, PrimaryInstances>();

  /** Starts those of a generation. @throws GatewayError `KOINE_EXTENSION_*` */
  async start(runtime: Runtime, generation: number): Promise<PrimaryInstances> {
    const instances = await startPrimaryInstances(runtime);
    this.#byGeneration.set(generation, instances);
    const close = (): boolean => this.#byGeneration.delete(generation);
    runtime.opened.push({ name: 'entry in the instance registry', close });
    return instances;
  }

  /** Passes a request to the instance of its generation, or of the newest one if that has retired. */
  readonly handle: HandleRequest = (plugin, message, worker, generation) =>
    (this.#byGeneration.get(generation) ?? [...this.#byGeneration.values()].at(-1))?.handle(plugin, message, worker);

  /** The links of plugins of a generation in this process. */
  link(generation: number): LinkPrimary {
    return createLocalLink(this.handle, generation);
  }

  readonly workerGone = (worker: number): void =>
    this.#byGeneration.forEach((instances) => instances.workerGone(worker));
}
