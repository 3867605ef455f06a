import type { LoadedConfig } from '../config/load.ts';
import type { PackedConfig } from '../config/pack.ts';
import type { PrimaryLink } from '../contracts/services.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import type { LinkPrimary } from './link/link.ts';
import { createMetrics } from '../services/metrics/metrics.ts';
import type { AnnounceSeries } from '../services/metrics/series-memory.ts';
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

/** The generations that are starting or started, and not yet activated. */
class PreparedGenerations {
  readonly #byNumber = new Map<number, Promise<Generation>>();

  async add(number: number, starting: Promise<Generation>): Promise<void> {
    this.#byNumber.set(number, starting);
    await starting;
  }

  /** Removes a generation once it has started; undefined where it could not. */
  async take(number: number): Promise<Generation | undefined> {
    const starting = this.#byNumber.get(number);
    this.#byNumber.delete(number);
    return starting?.catch(() => undefined);
  }
}

/** The main thread can be busy with a reload, or with the start of other workers. */
const ANNOUNCE_MS = 60_000;

const announceTo =
  (primary: PrimaryLink): AnnounceSeries =>
  async (change) =>
    primary.call(change, ANNOUNCE_MS);

/** Starts a worker on the port that all workers share. @throws GatewayError `KOINE_*` */
export const startWorker = (
  loaded: LoadedConfig,
  first: number,
  environment: WorkerEnvironment,
): Promise<ServingWorker> =>
  runStartup(environment, async (startup) => {
    const { opened, health } = startup;
    const { unpack, link, hostLoad } = environment;
    const metrics = createMetrics(undefined, announceTo(link(first)(METRICS)));
    const context = await openProcessContext(loaded, environment, opened, metrics, hostLoad);
    const generations = new Generations(context, async (runtime, number, refCount) => ({
      data: await startData(runtime, link(number), health, refCount),
    }));
    opened.push({ name: 'config generations', close: () => generations.close() });
    const prepared = new PreparedGenerations();
    await generations.activate(await generations.prepare(loaded, first));
    const waiting = createWaitingApp(health, context.log);
    const data = await openData(context, loaded, generations, waiting, opened, true);
    watchLag(context, opened);
    health.phase = 'serving';
    const { drain, cut } = createShutdown(data, context, () => generations.active?.loaded ?? loaded, startup);
    const start = async (config: PackedConfig, number: number): Promise<Generation> =>
      generations.prepare(await unpack(config, generations.active?.loaded), number);
    return {
      url: data.url,
      prepare: ({ generation, config }) => prepared.add(generation, start(config, generation)),
      activate: async (number) => {
        const before = generations.active?.number;
        const next = await prepared.take(number);
        if (next === undefined) return undefined;
        await generations.activate(next);
        return before;
      },
      drop: async (number) => (await prepared.take(number))?.retire(),
      drain,
      cut,
    };
  });
