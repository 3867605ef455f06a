import type { LoadedConfig } from '../config/load.ts';
import type { PackedConfig } from '../config/pack.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import type { LinkPrimary } from './link/link.ts';
import type { PackedGeneration } from './link/messages.ts';
import { createMetrics } from '../services/metrics/metrics.ts';
import type { HostLoad } from '../services/shared-memory/host-load.ts';
import { openData, startData } from './listeners.ts';
import { openProcessContext, watchLag } from './process-context.ts';
import { Generations, type Generation } from './reload/generations.ts';
import { METRICS } from './primary/primary-instances.ts';
import { createShutdown, runStartup, type GatewayEnvironment } from './startup.ts';
import type { ServingWorker } from './run-worker.ts';

export interface WorkerEnvironment extends GatewayEnvironment {
  /**
   * Reads a configuration that the main thread packed.
   * @param live the active one
   * @throws GatewayError `KOINE_EXTENSION_*`
   */
  readonly unpack: (config: PackedConfig, live?: LoadedConfig) => Promise<LoadedConfig>;
  readonly link: (generation: number) => LinkPrimary;
  /** What all workers hold. */
  readonly hostLoad: HostLoad;
}

/** The main thread can be busy with a reload, or with the start of other workers. */
const ANNOUNCE_MS = 60_000;

/** Starts a worker on the port that all workers share. @throws GatewayError `KOINE_*` */
export const startWorker = (
  loaded: LoadedConfig,
  first: number,
  environment: WorkerEnvironment,
): Promise<ServingWorker> =>
  runStartup(environment, async (startup) => {
    const { opened, health } = startup;
    const { unpack, link, hostLoad } = environment;
    const announced = link(first)(METRICS);
    const metrics = createMetrics(undefined, async (change) => announced.call(change, ANNOUNCE_MS));
    const context = await openProcessContext(loaded, environment, opened, metrics, hostLoad);
    const generations = new Generations(context, async (runtime, number, refCount) => ({
      data: await startData(runtime, link(number), health, refCount),
    }));
    opened.push({ name: 'config generations', close: () => generations.close() });
    /** Those that are starting or started, and not yet activated. */
    const prepared = new Map<number, Promise<Generation>>();
    /** Removes a generation once it has started; undefined where it could not. */
    const take = async (number: number): Promise<Generation | undefined> => {
      const starting = prepared.get(number);
      prepared.delete(number);
      return starting?.catch(() => undefined);
    };
    await generations.activate(await generations.prepare(loaded, first));
    const waiting = createWaitingApp(health, context.log);
    const data = await openData(context, loaded, generations, waiting, opened, true);
    watchLag(context, opened);
    health.phase = 'serving';
    const { drain, cut } = createShutdown(data, context, () => generations.active?.loaded ?? loaded, startup);
    const start = async ({ generation, config }: PackedGeneration): Promise<Generation> =>
      generations.prepare(await unpack(config, generations.active?.loaded), generation);
    return {
      url: data.url,
      prepare: async (packed) => {
        const starting = start(packed);
        prepared.set(packed.generation, starting);
        await starting;
      },
      activate: async (number) => {
        const before = generations.active?.number;
        const next = await take(number);
        if (next === undefined) return undefined;
        await generations.activate(next);
        return before;
      },
      drop: async (number) => (await take(number))?.retire(),
      drain,
      cut,
    };
  });
