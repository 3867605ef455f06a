import type { LoadedConfig } from './config/load.ts';
import type { AdminRouter } from './contracts/admin.ts';
import { GatewayError } from './errors.ts';
import { closeAll, type Closable } from './extensions/close.ts';
import { createAdminApp } from './http/admin/app.ts';
import { createDataApp } from './http/app.ts';
import { createHealth, type Health } from './http/health.ts';
import { listen, type Listener, type ListenEvents } from './http/listener.ts';
import { findFreePort } from './process/free-port.ts';
import { linkHere, type LinkPrimary } from './process/link.ts';
import type { Stoppable } from './process/signals.ts';
import type { ServingWorker } from './process/worker.ts';
import { startWorkers } from './process/workers.ts';
import { addCoreCalls } from './runtime/core-calls.ts';
import { openHouse, type GatewayEnvironment, type House } from './runtime/house.ts';
import { countExchanges } from './runtime/open-exchanges.ts';
import { startPrimaryHalves, type PrimaryHalves } from './runtime/primary-halves.ts';
import { startServing } from './runtime/serving.ts';
import { createFirstKey, type FirstKey } from './tenancy/first-key.ts';

export type { GatewayEnvironment };

/** A gateway that serves. `stop` takes nothing new, waits for every exchange and closes what was opened; `cut` cuts what is still open. */
export interface Gateway extends Stoppable {
  readonly data: Pick<Listener, 'url'>;
  readonly admin: Pick<Listener, 'url'>;
  /** The key that this start created because there was none; to be shown once. */
  readonly firstKey: FirstKey | undefined;
  /** Rejects when it can serve no longer; what can still be stopped is being stopped then. */
  readonly failed: Promise<never>;
}

/** A start under way. */
interface Opening {
  /** What has to be closed again, in the order in which it was opened. */
  readonly opened: Closable[];
  readonly health: Health;
  /** Not ready from now on; closes what was opened, the last first. However often it is called, it does so once. */
  stop(): Promise<void>;
}

/** Runs a start, and stops it when it fails. */
const opening = async <T>({ log }: GatewayEnvironment, start: (opening: Opening) => Promise<T>): Promise<T> => {
  const opened: Closable[] = [];
  const health = createHealth();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    for (const { name, error } of await closeAll(opened)) log.error({ name, error }, 'something failed to close');
  };
  const stop = (): Promise<void> => {
    health.phase = 'draining';
    return (closing ??= close());
  };
  try {
    return await start({ opened, health, stop });
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};

const listenEvents = ({ log, overload }: House): ListenEvents => ({
  refused: overload.refuseConnection,
  failed: (error) => log.error({ error }, 'a connection could not be accepted'),
});

const openAdmin = async (house: House, halves: PrimaryHalves, health: Health): Promise<Listener> => {
  const { admin } = house.loaded.config;
  const fill = (routerOf: (owner: string) => AdminRouter): void => {
    addCoreCalls(routerOf('the core'), house, linkHere(halves.answer));
    halves.admin(routerOf);
  };
  const listener = await listen(createAdminApp({ config: admin, health, log: house.log, fill }), admin, listenEvents(house));
  house.opened.push({ name: 'admin listener', close: listener.drain });
  return listener;
};

const openData = async (house: House, link: LinkPrimary, health: Health): Promise<Listener> => {
  const app = await startServing(house, link);
  const { run, settled } = countExchanges(app.run);
  house.opened.push({ name: 'open exchanges', close: settled });
  const listener = await listen(createDataApp({ ...app, run, health }), house.loaded.config.server, listenEvents(house));
  house.opened.push({ name: 'data listener', close: listener.drain });
  return listener;
};

/** The last step of a start: a key that was made before a start that fails would be shown to nobody. */
const openFirstKey = ({ loaded, table, clock }: House): Promise<FirstKey | undefined> => createFirstKey({ organizations: loaded.config.organizations, table, clock });

/**
 * A gateway in this one process, whatever `server.workers` says. The start order: stores, primary halves, admin listener, providers,
 * plugins, catalog, lanes, data listener, the first key.
 * @throws GatewayError `KOINE_*`
 */
export const startGateway = (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> =>
  opening(environment, async ({ opened, health, stop }) => {
    const house = await openHouse(loaded, environment, opened);
    const halves = await startPrimaryHalves(house);
    const admin = await openAdmin(house, halves, health);
    const data = await openData(house, linkHere(halves.answer), health);
    const firstKey = await openFirstKey(house);
    health.phase = 'serving';
    return {
      data,
      admin,
      firstKey,
      failed: Promise.withResolvers<never>().promise,
      stop,
      cut: () => {
        data.cut();
        admin.cut();
      },
    };
  });

/**
 * The primary process of `server.workers` others: it opens the stores, holds the primary halves and the admin listener, and serves no
 * client itself. `/readyz` of its admin listener: every worker has served, and at least one does.
 * @throws GatewayError `KOINE_*`, also what the first worker says that cannot start
 */
export const startPrimary = (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> =>
  opening(environment, async ({ opened, health, stop }) => {
    const { server, store } = loaded.config;
    if (store.database === 'sqlite::memory:') {
      throw new GatewayError('KOINE_STORE_FAILED', `store.database is sqlite::memory:, which ${server.workers} workers cannot share; name a file, or set server.workers to 1.`);
    }
    const house = await openHouse(loaded, environment, opened);
    const halves = await startPrimaryHalves(house);
    const admin = await openAdmin(house, halves, health);
    const workers = startWorkers({
      count: server.workers,
      port: await findFreePort(server),
      answer: halves.answer,
      gone: halves.workerGone,
      onServing: (serving) => {
        if (health.phase !== 'draining') health.phase = serving ? 'serving' : 'starting';
      },
      log: house.log,
      clock: house.clock,
    });
    opened.push({ name: 'workers', close: workers.stop });
    const url = await workers.url;
    const firstKey = await openFirstKey(house);
    const failed = workers.failed.catch((error: unknown) => {
      void stop();
      throw error;
    });
    return {
      data: { url },
      admin,
      firstKey,
      failed,
      stop,
      cut: () => {
        workers.cut();
        admin.cut();
      },
    };
  });

/** A worker of such a primary process, on the port that all of them share. @throws GatewayError `KOINE_*` */
export const startWorker = (loaded: LoadedConfig, environment: GatewayEnvironment, link: LinkPrimary): Promise<ServingWorker> =>
  opening(environment, async ({ opened, health, stop }) => {
    const { url, cut } = await openData(await openHouse(loaded, environment, opened), link, health);
    health.phase = 'serving';
    return { url, cut, stop };
  });
