import type { LoadedConfig } from './config/load.ts';
import type { PrimaryLink } from './contracts/services.ts';
import { closeAll, type Closable } from './extensions/close.ts';
import { createAdminApp, createDataApp } from './http/app.ts';
import { createHealth } from './http/health.ts';
import { listen, type Listener } from './http/listener.ts';
import { openHouse, type GatewayEnvironment } from './runtime/house.ts';
import { startPrimaryHalves, type PrimaryHalves } from './runtime/primary-halves.ts';
import { startServing } from './runtime/serving.ts';
import { createFirstKey, type FirstKey } from './tenancy/first-key.ts';

export type { GatewayEnvironment };

/** A gateway that serves. */
export interface Gateway {
  readonly data: Listener;
  readonly admin: Listener;
  /** The key that this start created because there was none; to be shown once. */
  readonly firstKey: FirstKey | undefined;
  /** Takes nothing new, waits for every exchange, closes what was opened. */
  stop(): Promise<void>;
  /** Cuts what is still open. */
  cut(): void;
}

/** Both halves are in this process: asking is a call. */
const linkHere =
  ({ answer }: PrimaryHalves) =>
  (plugin: string): PrimaryLink => ({ ask: async (message) => answer(plugin, message, 0) });

/**
 * A gateway in one process. The start order: stores and keys, primary halves, providers, plugins, catalog, lanes, listeners. Whatever
 * fails stops the start; what was opened before is closed again.
 * @throws GatewayError `KOINE_*`
 */
export const startGateway = async (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> => {
  const opened: Closable[] = [];
  const close = async (): Promise<void> => {
    for (const { name, error } of await closeAll(opened)) environment.log.error({ name, error }, 'something failed to close');
  };
  const { config } = loaded;
  try {
    const house = openHouse(loaded, environment, opened);
    const firstKey = await createFirstKey({ organizations: config.organizations, table: house.table, clock: house.clock });
    const halves = await startPrimaryHalves(house);
    const app = await startServing(house, linkHere(halves));
    const health = createHealth();
    const data = await listen(createDataApp({ ...app, health }), config.server);
    opened.push({ name: 'data listener', close: data.drain });
    const admin = await listen(createAdminApp(config.admin.token, health, environment.log), config.admin);
    opened.push({ name: 'admin listener', close: admin.drain });
    health.phase = 'serving';
    return {
      data,
      admin,
      firstKey,
      stop: () => {
        health.phase = 'draining';
        return close();
      },
      cut: () => {
        data.cut();
        admin.cut();
      },
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
};
