import type { LoadedConfig } from '../config/load.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import { createFirstKey } from '../tenancy/first-key.ts';
import { createEditions, type Edition } from './reload/generations.ts';
import { openAdmin, openData, startAdmin, startData } from './listeners.ts';
import { createHalvesRegister } from './primary/instance-registry.ts';
import { openHouse } from './process-context.ts';
import { endingOf, opening, type Gateway, type GatewayEnvironment } from './startup.ts';
import { createReloads } from './reload/reloads.ts';

/**
 * A gateway in this one process, whatever `server.workers` says. The start order: stores, admin listener, primary halves, providers,
 * plugins, catalog, lanes, data listener, the first key.
 * @throws GatewayError `KOINE_*`
 */
export const startGateway = (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> =>
  opening(environment, async (start) => {
    const { opened, health } = start;
    const house = await openHouse(loaded, environment, opened);
    const halves = createHalvesRegister();
    let lastNumber = 0;
    const prepare = (next: LoadedConfig): Promise<Edition> => editions.prepare(next, (lastNumber += 1));
    const replace = async (next: LoadedConfig): Promise<void> => void editions.enforce(await prepare(next));
    const reloads = createReloads({ ...house, first: loaded, load: environment.load ?? (async () => loaded), replace });
    const editions = createEditions(house, async (runtime, number, use) => ({
      admin: await startAdmin(runtime, number, halves, health, reloads),
      data: await startData(runtime, halves.link(number), health, use),
    }));
    opened.push({ name: 'what serves', close: editions.close });
    const meanwhile = createWaitingApp(health, house.log);
    const admin = await openAdmin(house, loaded, editions.face('admin', meanwhile), opened);
    await editions.enforce(await prepare(loaded));
    const data = await openData(house, loaded, editions.face('data', meanwhile), opened);
    opened.push({ name: 'reloads', close: reloads.stop });
    const firstKey = await createFirstKey({ ...house, organizations: loaded.config.organizations });
    health.phase = 'serving';
    const { drain, stop, cut } = endingOf(data, house, () => reloads.live, start);
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
