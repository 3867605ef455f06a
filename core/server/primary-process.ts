import type { LoadedConfig } from '../config/load.ts';
import { packConfig } from '../config/pack.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { createWaitingApp } from '../http/waiting-app.ts';
import { findFreePort } from './primary/free-port.ts';
import type { PackedEdition } from './link/messages.ts';
import { startWorkers } from './primary/workers.ts';
import { createFirstKey } from '../tenancy/first-key.ts';
import { createEditions } from './reload/generations.ts';
import { openAdmin, startAdmin } from './listeners.ts';
import { createHalvesRegister } from './primary/instance-registry.ts';
import { openHouse } from './process-context.ts';
import { opening, type Gateway, type GatewayEnvironment } from './startup.ts';
import { createReloads } from './reload/reloads.ts';

/** What a worker may need beyond its own deadlines: to settle, to close its plugins, to say goodbye. */
const WORKER_GRACE_MS = 30_000;

/**
 * The primary process of `server.workers` others: it opens the stores, holds the primary halves and the admin listener, and serves no
 * client itself. `/readyz` of its admin listener: every worker has served, and at least one does.
 * @throws GatewayError `KOINE_*`, also what the first worker says that cannot start
 */
export const startPrimary = (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> =>
  opening(environment, async ({ opened, health, stop }) => {
    const { server, store } = loaded.config;
    if (store.database === 'sqlite::memory:') {
      throw new GatewayError(
        'KOINE_STORE_FAILED',
        `store.database is sqlite::memory:, which ${server.workers} workers cannot share; name a file, or set server.workers to 1.`,
      );
    }
    const house = await openHouse(loaded, environment, opened);
    const halves = createHalvesRegister();
    const first: PackedEdition = { edition: 1, config: packConfig(loaded) };
    let lastNumber = first.edition;
    const replace = async (next: LoadedConfig): Promise<void> => {
      const packed: PackedEdition = { edition: (lastNumber += 1), config: packConfig(next) };
      const edition = await editions.prepare(next, packed.edition);
      try {
        await workers.prepare(packed);
      } catch (thrown) {
        await edition.retire();
        throw thrown;
      }
      workers.enforce(packed);
      void editions.enforce(edition);
    };
    const reloads = createReloads({ ...house, first: loaded, load: environment.load ?? (async () => loaded), replace });
    const editions = createEditions(house, async (runtime, number) => ({
      admin: await startAdmin(runtime, number, halves, health, reloads),
      over: () => workers.over(number),
    }));
    opened.push({ name: 'what manages', close: editions.close });
    const admin = await openAdmin(house, loaded, editions.face('admin', createWaitingApp(health, house.log)), opened);
    await editions.enforce(await editions.prepare(loaded, first.edition));
    const workers = startWorkers({
      count: server.workers,
      port: await findFreePort(server),
      first,
      answer: halves.answer,
      gone: halves.workerGone,
      onServing: (serving) => {
        if (health.phase !== 'draining') health.phase = serving ? 'serving' : 'starting';
      },
      log: house.log,
      clock: house.clock,
      metrics: house.metrics,
    });
    const end = (isHurried: boolean): Promise<boolean> => {
      health.phase = 'draining';
      const { delay, timeout } = reloads.live.config.server.drain;
      return workers.drain(isHurried, (isHurried ? 0 : delay) + timeout + WORKER_GRACE_MS);
    };
    opened.push({ name: 'workers', close: () => end(true) });
    opened.push({ name: 'reloads', close: reloads.stop });
    const url = await workers.url;
    const firstKey = await createFirstKey({ ...house, organizations: loaded.config.organizations });
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
