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

/** The core has a half as plugins have, under a name that no package can have. */
export const CORE = 'the core';

/** The halves of the plugins that exist once per host, and that of the core. */
export interface PrimaryHalves {
  /** @throws what the half throws, GatewayError where the plugin has none */
  answer(plugin: string, message: unknown, worker: number): unknown;
  workerGone(worker: number): void;
  /** Each half adds its pages as an owner of its own. */
  admin(routerOf: (owner: string) => AdminRouter): void;
}

/** Starts the primary half of every plugin that has one. @throws GatewayError `KOINE_EXTENSION_*` */
export async function startPrimaryHalves({
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
}: Runtime): Promise<PrimaryHalves> {
  const halves = new Map<string, PrimaryInstance>([[CORE, keep('core/exchanges', createRecentExchanges)]]);
  const tellAll = (tell: (half: PrimaryInstance) => void, failure: string): void => {
    for (const [plugin, half] of halves) {
      try {
        tell(half);
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
      spent: async (query) => [...halves.values()].find((half) => half.spent !== undefined)?.spent?.(query),
      tellSpendingFound: () =>
        tellAll((each) => each.spendingFound?.(), 'a plugin failed to look at what was spent earlier'),
      callers: (filter) => listCallers({ organizations: loaded.config.organizations, table, clock }, filter),
      keep,
    };
    const half = await startExtension(
      { ...extension, definition, use },
      () => definition.primary?.(loaded.config.plugins[index]?.config, services) ?? {},
    );
    opened.push({ name: `primary half of ${use}`, close: () => half.close?.() });
    halves.set(use, half);
  }
  return {
    answer: (plugin, message, worker) => {
      const half = halves.get(plugin);
      if (half?.answer === undefined)
        throw new GatewayError(
          'internal_error',
          `The plugin ${plugin} asked its primary half, and has none that answers.`,
        );
      return half.answer(message, worker);
    },
    workerGone: (worker) => tellAll((half) => half.workerGone?.(worker), 'a plugin failed to part with a worker'),
    admin: (routerOf) =>
      halves.forEach((half, plugin) => half.admin?.(routerOf(plugin === CORE ? CORE : `the plugin ${plugin}`))),
  };
}
