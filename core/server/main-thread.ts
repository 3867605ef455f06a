import type { GatewayConfig } from '../config/gateway-config.ts';
import type { LoadedConfig } from '../config/load.ts';
import { packConfig } from '../config/pack.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Closable } from '../extensions/close.ts';
import type { Health } from '../http/health.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import { createFirstKey } from '../tenancy/first-key.ts';
import { openAdmin, startAdmin } from './listeners.ts';
import { findFreePort } from './primary/free-port.ts';
import { InstanceRegistry } from './primary/primary-instances.ts';
import { WorkerSlot } from './primary/worker-slot.ts';
import { Workers } from './primary/workers.ts';
import { openProcessContext, watchLag, type ProcessContext } from './process-context.ts';
import { Generations } from './reload/generations.ts';
import { Reloads } from './reload/reloads.ts';
import { runStartup, type Gateway, type GatewayEnvironment } from './startup.ts';

const FIRST_GENERATION = 1;

/** What a worker may need beyond its drain deadline, in milliseconds: to settle, to close its plugins, to end. */
const WORKER_GRACE_MS = 30_000;

export interface PrimaryEnvironment extends GatewayEnvironment {
  /** The module that a worker thread runs. */
  readonly program: URL;
}

const requireSharedDatabase = ({ server, store }: GatewayConfig): void => {
  if (store.database === 'sqlite::memory:')
    throw new GatewayError(
      'KOINE_STORE_FAILED',
      `store.database is sqlite::memory:, which ${server.workers} workers cannot share; ` +
        'name a file, or set server.workers to 1.',
    );
};

/** Starts a configuration here and in every worker. It becomes active only when all of them have started it. */
const replaceEverywhere = async (
  generations: Generations,
  workers: Workers,
  next: LoadedConfig,
  number: number,
): Promise<void> => {
  const packed = { generation: number, config: await packConfig(next) };
  const generation = await generations.prepare(next, number);
  try {
    await workers.reload.prepare(packed);
  } catch (thrown) {
    await generation.retire();
    throw thrown;
  }
  workers.activate(packed);
  void generations.activate(generation);
};

const startWorkers = async (
  { log, clock, metrics }: ProcessContext,
  loaded: LoadedConfig,
  slots: readonly WorkerSlot[],
  registry: InstanceRegistry,
  health: Health,
  program: URL,
): Promise<Workers> => {
  const { server } = loaded.config;
  return new Workers({
    program,
    slots,
    port: await findFreePort(server),
    first: { generation: FIRST_GENERATION, config: await packConfig(loaded) },
    handle: registry.handle,
    onGone: registry.workerGone,
    onServing: (serving) => {
      if (health.phase !== 'draining') health.phase = serving ? 'serving' : 'starting';
    },
    log,
    clock,
    metrics,
  });
};

/**
 * The admin listener serves before the workers exist: a reload that comes so early waits for them. If the start fails,
 * it has to end before the admin listener, which was opened earlier, can close.
 */
const promiseWorkers = (opened: Closable[]): PromiseWithResolvers<Workers> => {
  const started = Promise.withResolvers<Workers>();
  started.promise.catch(() => {});
  opened.push({ name: 'waiting reloads', close: () => started.reject(new GatewayError('shutting_down')) });
  return started;
};

const createDrain =
  (workers: Workers, reloads: Reloads, health: Health) =>
  (isHurried: boolean): Promise<boolean> => {
    health.phase = 'draining';
    const { delay, timeout } = reloads.live.config.server.drain;
    return workers.drain(isHurried, (isHurried ? 0 : delay) + timeout + WORKER_GRACE_MS);
  };

/**
 * Starts a gateway with `server.workers` workers: threads of this process. This thread opens the stores, runs the
 * primary instances and the admin listener, and serves no client itself. `/readyz` of its admin listener is ready once
 * every worker has served and as long as one does.
 * @throws GatewayError `KOINE_*`, also the error of the first worker that cannot start
 */
export const startPrimary = (loaded: LoadedConfig, environment: PrimaryEnvironment): Promise<Gateway> =>
  runStartup(environment, async ({ opened, health, stop }) => {
    requireSharedDatabase(loaded.config);
    const context = await openProcessContext(loaded, environment, opened);
    const registry = new InstanceRegistry();
    const slots = Array.from({ length: loaded.config.server.workers }, () => new WorkerSlot(context.clock));
    let lastGeneration = FIRST_GENERATION;
    const reloads = new Reloads({
      ...context,
      first: loaded,
      load: environment.load ?? (async () => loaded),
      proposals: environment.proposals,
      replace: async (next) => replaceEverywhere(generations, await started.promise, next, (lastGeneration += 1)),
    });
    const generations = new Generations(context, async (runtime, number) => ({
      admin: await startAdmin(runtime, number, registry, health, reloads, slots),
      released: () => workers.reload.released(number),
    }));
    opened.push({ name: 'config generations', close: () => generations.close() });
    const waiting = createWaitingApp(health, context.log);
    const admin = await openAdmin(context, loaded, generations.listener('admin', waiting), opened);
    const started = promiseWorkers(opened);
    await generations.activate(await generations.prepare(loaded, FIRST_GENERATION));
    const workers = await startWorkers(context, loaded, slots, registry, health, environment.program);
    started.resolve(workers);
    const drainWorkers = createDrain(workers, reloads, health);
    opened.push({ name: 'workers', close: () => drainWorkers(true) }, { name: 'reloads', close: () => reloads.stop() });
    const url = (context.ownRequests.url = await workers.url);
    const firstKey = await createFirstKey({ ...context, organizations: loaded.config.organizations });
    watchLag(context, opened);
    context.keepPrices(loaded);
    return {
      data: { url },
      admin,
      reloads,
      firstKey,
      failed: workers.failed.catch((error: unknown) => {
        void stop();
        throw error;
      }),
      drain: async (isHurried) => {
        void reloads.stop();
        const allEndedCleanly = await drainWorkers(isHurried);
        await stop();
        return allEndedCleanly;
      },
      stop,
      cut: () => [workers, admin].forEach((each) => each.cut()),
    };
  });
