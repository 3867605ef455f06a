import type { LoadedConfig } from '../config/load.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import { createFirstKey } from '../tenancy/first-key.ts';
import { openAdmin, openData, startAdmin, startData } from './listeners.ts';
import { InstanceRegistry } from './primary/primary-instances.ts';
import { openProcessContext, watchLag } from './process-context.ts';
import { Generations, type Generation } from './reload/generations.ts';
import { Reloads } from './reload/reloads.ts';
import { createShutdown, runStartup, type Gateway, type GatewayEnvironment } from './startup.ts';

/**
 * Starts a gateway in this one process, whatever `server.workers` is. The order: stores, admin listener, primary
 * instances, providers, plugins, catalog, lanes, data listener, the first key, the price history.
 * @throws GatewayError `KOINE_*`
 */
export const startGateway = (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> =>
  runStartup(environment, async (startup) => {
    const { opened, health } = startup;
    const context = await openProcessContext(loaded, environment, opened);
    const registry = new InstanceRegistry();
    let lastGeneration = 0;
    const prepare = (next: LoadedConfig): Promise<Generation> => generations.prepare(next, (lastGeneration += 1));
    const reloads = new Reloads({
      ...context,
      first: loaded,
      load: environment.load ?? (async () => loaded),
      proposals: environment.proposals,
      replace: async (next) => void generations.activate(await prepare(next)),
    });
    const generations = new Generations(context, async (runtime, number, refCount) => ({
      admin: await startAdmin(runtime, number, registry, health, reloads),
      data: await startData(runtime, registry.link(number), health, refCount),
    }));
    opened.push({ name: 'config generations', close: () => generations.close() });
    const waiting = createWaitingApp(health, context.log);
    const admin = await openAdmin(context, loaded, generations.listener('admin', waiting), opened);
    await generations.activate(await prepare(loaded));
    const data = await openData(context, loaded, generations, waiting, opened);
    context.ownRequests.url = data.url;
    opened.push({ name: 'reloads', close: () => reloads.stop() });
    const firstKey = await createFirstKey({ ...context, organizations: loaded.config.organizations });
    watchLag(context, opened);
    health.phase = 'serving';
    context.keepPrices(loaded);
    const { drain, stop, cut } = createShutdown(data, context, () => reloads.live, startup);
    return {
      data,
      admin,
      reloads,
      firstKey,
      failed: Promise.withResolvers<never>().promise,
      drain: (isHurried) => {
        void reloads.stop();
        return drain(isHurried);
      },
      stop,
      cut: () => {
        cut();
        admin.cut();
      },
    };
  });
