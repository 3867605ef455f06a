import type { LoadedConfig } from '../config/load.ts';
import { packConfig } from '../config/pack.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import { findFreePort } from './primary/free-port.ts';
import type { PackedGeneration } from './link/messages.ts';
import { startWorkers } from './primary/workers.ts';
import { createFirstKey } from '../tenancy/first-key.ts';
import { createGenerations } from './reload/generations.ts';
import { openAdmin, startAdmin } from './listeners.ts';
import { createInstanceRegistry } from './primary/instance-registry.ts';
import { openProcessContext } from './process-context.ts';
import { runStartup, type Gateway, type GatewayEnvironment } from './startup.ts';
import { createReloads } from './reload/reloads.ts';

/** What a worker may need beyond its own deadlines: to settle, to close its plugins, to say goodbye. */
const WORKER_GRACE_MS = 30_000;

/**
 * The primary process of `server.workers` others: it opens the stores, holds the primary instances and the admin listener, and serves no
 * client itself. `/readyz` of its admin listener: every worker has served, and at least one does.
 * @throws GatewayError `KOINE_*`, also what the first worker says that cannot start
 */
export const startPrimary = (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> =>
  runStartup(environment, async ({ opened, health, stop }) => {
    const { server, store } = loaded.config;
    if (store.database === 'sqlite::memory:') {
      throw new GatewayError(
        'KOINE_STORE_FAILED',
        `store.database is sqlite::memory:, which ${server.workers} workers cannot share; name a file, or set server.workers to 1.`,
      );
    }
    const context = await openProcessContext(loaded, environment, opened);
    const registry = createInstanceRegistry();
    const first: PackedGeneration = { generation: 1, config: packConfig(loaded) };
    let lastNumber = first.generation;
    const replace = async (next: LoadedConfig): Promise<void> => {
      const packed: PackedGeneration = { generation: (lastNumber += 1), config: packConfig(next) };
      const generation = await generations.prepare(next, packed.generation);
      try {
        await workers.prepare(packed);
      } catch (thrown) {
        await generation.retire();
        throw thrown;
      }
      workers.enforce(packed);
      void generations.enforce(generation);
    };
    const reloads = createReloads({
      ...context,
      first: loaded,
      load: environment.load ?? (async () => loaded),
      replace,
    });
    const generations = createGenerations(context, async (runtime, number) => ({
      admin: await startAdmin(runtime, number, registry, health, reloads),
      over: () => workers.over(number),
    }));
    opened.push({ name: 'what manages', close: generations.close });
    const admin = await openAdmin(
      context,
      loaded,
      generations.listener('admin', createWaitingApp(health, context.log)),
      opened,
    );
    await generations.enforce(await generations.prepare(loaded, first.generation));
    const workers = startWorkers({
      count: server.workers,
      port: await findFreePort(server),
      first,
      answer: registry.answer,
      gone: registry.workerGone,
      onServing: (serving) => {
        if (health.phase !== 'draining') health.phase = serving ? 'serving' : 'starting';
      },
      log: context.log,
      clock: context.clock,
      metrics: context.metrics,
    });
    const end = (isHurried: boolean): Promise<boolean> => {
      health.phase = 'draining';
      const { delay, timeout } = reloads.live.config.server.drain;
      return workers.drain(isHurried, (isHurried ? 0 : delay) + timeout + WORKER_GRACE_MS);
    };
    opened.push({ name: 'workers', close: () => end(true) });
    opened.push({ name: 'reloads', close: reloads.stop });
    const url = await workers.url;
    const firstKey = await createFirstKey({ ...context, organizations: loaded.config.organizations });
    const failed = workers.failed.catch((error: unknown) => {
      void stop();
      throw error;
    });
    return {
      data: { url },
      admin,
      reloads,
      firstKey,
      failed,
      drain: async (isHurried) => {
        void reloads.stop();
        const isGood = await end(isHurried);
        await stop();
        return isGood;
      },
      stop,
      cut: () => {
        workers.cut();
        admin.cut();
      },
    };
  });
