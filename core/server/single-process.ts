import type { LoadedConfig } from '../config/load.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import { createFirstKey } from '../tenancy/first-key.ts';
import { createGenerations, type Generation } from './reload/generations.ts';
import { openAdmin, openData, startAdmin, startData } from './listeners.ts';
import { createInstanceRegistry } from './primary/instance-registry.ts';
import { openProcessContext } from './process-context.ts';
import { createShutdown, runStartup, type Gateway, type GatewayEnvironment } from './startup.ts';
import { createReloads } from './reload/reloads.ts';

/**
 * A gateway in this one process, whatever `server.workers` says. The start order: stores, admin listener, primary instances, providers,
 * plugins, catalog, lanes, data listener, the first key.
 * @throws GatewayError `KOINE_*`
 */
export const startGateway = (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> =>
  runStartup(environment, async (start) => {
    const { opened, health } = start;
    const context = await openProcessContext(loaded, environment, opened);
    const registry = createInstanceRegistry();
    let lastNumber = 0;
    const prepare = (next: LoadedConfig): Promise<Generation> => generations.prepare(next, (lastNumber += 1));
    const replace = async (next: LoadedConfig): Promise<void> => void generations.enforce(await prepare(next));
    const reloads = createReloads({
      ...context,
      first: loaded,
      load: environment.load ?? (async () => loaded),
      replace,
    });
    const generations = createGenerations(context, async (runtime, number, refCount) => ({
      admin: await startAdmin(runtime, number, registry, health, reloads),
      data: await startData(runtime, registry.link(number), health, refCount),
    }));
    opened.push({ name: 'what serves', close: generations.close });
    const meanwhile = createWaitingApp(health, context.log);
    const admin = await openAdmin(context, loaded, generations.listener('admin', meanwhile), opened);
    await generations.enforce(await prepare(loaded));
    const data = await openData(context, loaded, generations.listener('data', meanwhile), opened);
    opened.push({ name: 'reloads', close: reloads.stop });
    const firstKey = await createFirstKey({ ...context, organizations: loaded.config.organizations });
    health.phase = 'serving';
    const { drain, stop, cut } = createShutdown(data, context, () => reloads.live, start);
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
