import type { LoadedConfig } from '../config/load.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import type { LinkPrimary } from './link/link.ts';
import type { ServingWorker } from './worker/worker.ts';
import { createEditions, type Edition } from './reload/generations.ts';
import { openData, startData } from './listeners.ts';
import { openHouse } from './process-context.ts';
import { endingOf, opening, type GatewayEnvironment } from './startup.ts';

/** What a worker lives from. */
export interface WorkerEnvironment extends GatewayEnvironment {
  /** What another edition is, that travelled here. @throws GatewayError `KOINE_EXTENSION_*` */
  readonly unpack: (config: string) => Promise<LoadedConfig>;
  readonly link: (edition: number) => LinkPrimary;
}

/** A worker of such a primary process, on the port that all of them share. @throws GatewayError `KOINE_*` */
export const startWorker = (
  loaded: LoadedConfig,
  number: number,
  environment: WorkerEnvironment,
): Promise<ServingWorker> =>
  opening(environment, async (start) => {
    const { opened, health } = start;
    const { unpack, link } = environment;
    const house = await openHouse(loaded, environment, opened);
    const editions = createEditions(house, async (runtime, edition, use) => ({
      data: await startData(runtime, link(edition), health, use),
    }));
    opened.push({ name: 'what serves', close: editions.close });
    const prepared = new Map<number, Promise<Edition>>();
    const take = async (edition: number): Promise<Edition | undefined> => {
      const found = prepared.get(edition);
      prepared.delete(edition);
      return found?.catch(() => undefined);
    };
    await editions.enforce(await editions.prepare(loaded, number));
    const data = await openData(house, loaded, editions.face('data', createWaitingApp(health, house.log)), opened);
    health.phase = 'serving';
    const { drain, cut } = endingOf(data, house, () => editions.current?.loaded ?? loaded, start);
    return {
      url: data.url,
      prepare: async ({ edition, config }) => {
        const unpackAndStart = async (): Promise<Edition> => editions.prepare(await unpack(config), edition);
        const starting = unpackAndStart();
        prepared.set(edition, starting);
        await starting;
      },
      enforce: async (edition) => {
        const before = editions.current?.number;
        const next = await take(edition);
        if (next === undefined) return undefined;
        await editions.enforce(next);
        return before;
      },
      drop: async (edition) => (await take(edition))?.retire(),
      drain,
      cut,
    };
  });
