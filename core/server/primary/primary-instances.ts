import { folderOf } from '../../config/load.ts';
import type { AdminRouter } from '../../contracts/admin.ts';
import type { PrimaryInstance } from '../../contracts/plugin.ts';
import type { PrimaryServices } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { startExtension } from '../../extensions/start.ts';
import { fetchService } from '../../services/network/fetch.ts';
import { listCallers } from '../../tenancy/list-callers.ts';
import { createRecentExchanges } from '../admin-calls/recent-exchanges.ts';
import type { Runtime } from '../runtime.ts';

/** The core has an instance as plugins have, under a name that no package can have. */
export const CORE = 'the core';

/** The instances of the plugins that exist once per host, and that of the core. */
export interface PrimaryInstances {
  /** @throws what the instance throws, GatewayError where the plugin has none */
  answer(plugin: string, message: unknown, worker: number): unknown;
  workerGone(worker: number): void;
  /** Each instance adds its pages as an owner of its own. */
  admin(routerOf: (owner: string) => AdminRouter): void;
}

/** Starts the primary instance of every plugin that has one. @throws GatewayError `KOINE_EXTENSION_*` */
export async function startPrimaryInstances({
  loaded,
  log,
  clock,
  table,
  keys,
  tenancy,
  redis,
  metrics,
  keep,
  opened,
}: Runtime): Promise<PrimaryInstances> {
  const instances = new Map<string, PrimaryInstance>([[CORE, keep('core/exchanges', createRecentExchanges)]]);
  const tellAll = (tell: (instance: PrimaryInstance) => void, failure: string): void => {
    for (const [plugin, instance] of instances) {
      try {
        tell(instance);
      } catch (error) {
        log.error({ error, plugin }, failure);
      }
    }
  };
  for (const [index, { definition, use, ...extension }] of loaded.extensions.plugins.entries()) {
    if (definition.primary === undefined) continue;
    const services: PrimaryServices = {
      log: log.child({ extension: use }),
      clock,
      keys,
      tenancy,
      redis,
      metrics,
      fetch: fetchService,
      databaseUrl: loaded.config.store.database,
      folder: folderOf(loaded),
      spent: async (query) => [...instances.values()].find((instance) => instance.spent !== undefined)?.spent?.(query),
      tellSpendingFound: () =>
        tellAll((each) => each.spendingFound?.(), 'a plugin failed to look at what was spent earlier'),
      callers: (filter) => listCallers({ organizations: loaded.config.organizations, table, clock }, filter),
      keep,
    };
    const instance = await startExtension(
      { ...extension, definition, use },
      () => definition.primary?.(loaded.config.plugins[index]?.config, services) ?? {},
    );
    opened.push({ name: `primary instance of ${use}`, close: () => instance.close?.() });
    instances.set(use, instance);
  }
  return {
    answer: (plugin, message, worker) => {
      const instance = instances.get(plugin);
      if (instance?.answer === undefined)
        throw new GatewayError(
          'internal_error',
          `The plugin ${plugin} asked its primary instance, and has none that answers.`,
        );
      return instance.answer(message, worker);
    },
    workerGone: (worker) =>
      tellAll((instance) => instance.workerGone?.(worker), 'a plugin failed to part with a worker'),
    admin: (routerOf) =>
      instances.forEach((instance, plugin) =>
        instance.admin?.(routerOf(plugin === CORE ? CORE : `the plugin ${plugin}`)),
      ),
  };
}
