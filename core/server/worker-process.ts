import type { LoadedConfig } from '../config/load.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import type { LinkPrimary } from './link/link.ts';
import type { ServingWorker } from './worker/worker.ts';
import { createGenerations, type Generation } from './reload/generations.ts';
import { openData, startData } from './listeners.ts';
import { openProcessContext } from './process-context.ts';
import { createShutdown, runStartup, type GatewayEnvironment } from './startup.ts';

/** What a worker lives from. */
export interface WorkerEnvironment extends GatewayEnvironment {
  /** What another generation is, that travelled here. @throws GatewayError `KOINE_EXTENSION_*` */
  readonly unpack: (config: string) => Promise<LoadedConfig>;
  readonly link: (generation: number) => LinkPrimary;
}

/** A worker of such a primary process, on the port that all of them share. @throws GatewayError `KOINE_*` */
export const startWorker = (
  loaded: LoadedConfig,
  number: number,
  environment: WorkerEnvironment,
): Promise<ServingWorker> =>
  runStartup(environment, async (start) => {
    const { opened, health } = start;
    const { unpack, link } = environment;
    const context = await openProcessContext(loaded, environment, opened);
    const generations = createGenerations(context, async (runtime, generation, refCount) => ({
      data: await startData(runtime, link(generation), health, refCount),
    }));
    opened.push({ name: 'what serves', close: generations.close });
    const prepared = new Map<number, Promise<Generation>>();
    const take = async (generation: number): Promise<Generation | undefined> => {
      const found = prepared.get(generation);
      prepared.delete(generation);
      return found?.catch(() => undefined);
    };
    await generations.enforce(await generations.prepare(loaded, number));
    const data = await openData(
      context,
      loaded,
      generations.listener('data', createWaitingApp(health, context.log)),
      opened,
    );
    health.phase = 'serving';
    const { drain, cut } = createShutdown(data, context, () => generations.current?.loaded ?? loaded, start);
    return {
      url: data.url,
      prepare: async ({ generation, config }) => {
        const unpackAndStart = async (): Promise<Generation> => generations.prepare(await unpack(config), generation);
        const starting = unpackAndStart();
        prepared.set(generation, starting);
        await starting;
      },
      enforce: async (generation) => {
        const before = generations.current?.number;
        const next = await take(generation);
        if (next === undefined) return undefined;
        await generations.enforce(next);
        return before;
      },
      drop: async (generation) => (await take(generation))?.retire(),
      drain,
      cut,
    };
  });
