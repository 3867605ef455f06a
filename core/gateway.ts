import { inOrder } from './dispatch/in-order.ts';
import { createDispatch } from './dispatch/dispatcher.ts';
import { createUndiciTransport } from './dispatch/undici-transport.ts';
import { createCatalog, type RunningProvider } from './catalog/catalog.ts';
import type { LoadedConfig } from './config/load.ts';
import type { PluginInstance, Strategy } from './contracts/plugin.ts';
import type { Clock, Services } from './contracts/services.ts';
import { GatewayError } from './errors.ts';
import { composeAdmit } from './exchange/admit.ts';
import { composeIdentify } from './exchange/identify.ts';
import { createExchangeRunner } from './exchange/run.ts';
import { closeAll, startExtension, type Closable } from './extensions/start.ts';
import { coreFits } from './fits/index.ts';
import { createAdminApp, createDataApp } from './http/app.ts';
import { createHealth } from './http/health.ts';
import { listen, type Listener } from './http/listener.ts';
import { createChannels } from './lanes/channel.ts';
import { createLane } from './lanes/lane.ts';
import { openDatabase } from './services/database.ts';
import { createKeeper } from './services/keep.ts';
import type { LogOutput } from './services/log.ts';
import { createKeyDirectory } from './tenancy/directory.ts';
import { createFirstKey, type FirstKey } from './tenancy/first-key.ts';
import { createKeyTable } from './tenancy/key-table.ts';

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

export interface GatewayEnvironment {
  readonly log: LogOutput;
  readonly clock: Clock;
}

const selectStrategy = (plugins: readonly PluginInstance[]): Strategy => {
  const strategies = plugins.flatMap(({ strategy }) => (strategy === undefined ? [] : [strategy]));
  if (strategies.length > 1) throw new GatewayError('KOINE_EXTENSION_DUPLICATE', 'Two plugins bring a strategy; the configuration may name one of them.');
  return strategies[0] ?? inOrder;
};

/**
 * The start order: database and keys, providers, catalog, plugins, lanes, listeners. Whatever fails stops the start;
 * what was opened before is closed again.
 * @throws GatewayError `KOINE_*`
 */
export const startGateway = async (loaded: LoadedConfig, { log, clock }: GatewayEnvironment): Promise<Gateway> => {
  const { config, extensions, registry } = loaded;
  const opened: Closable[] = [];
  const keeper = createKeeper();
  opened.push({ name: 'kept values', close: keeper.close });
  try {
    const database = openDatabase(config.store.database);
    opened.push({ name: 'database', close: () => database.destroy() });
    const table = createKeyTable(database);
    const keys = createKeyDirectory({ organizations: config.organizations, table, clock, log });
    const firstKey = await createFirstKey({ organizations: config.organizations, table, clock });

    const servicesFor = (name: string): Services => ({ log: log.child({ extension: name }), clock, keys, keep: keeper.keep, codec: registry.codec });
    const running = new Map<string, RunningProvider>();
    const transports = new Map<string, ReturnType<typeof createUndiciTransport>>();
    for (const [name, extension] of Object.entries(extensions.providers)) {
      const settings = config.providers[name];
      if (settings === undefined) continue;
      const instance = await startExtension(extension, () => extension.definition.create(settings.config, servicesFor(name)));
      opened.push({ name, close: async () => instance.close?.() });
      running.set(name, { instance, families: extension.definition.models ?? [] });
      const transport = createUndiciTransport(settings.timeouts);
      opened.push({ name: `connections of ${name}`, close: transport.close });
      transports.set(name, transport);
    }
    const catalog = createCatalog(config, running, registry.clientWires, Math.floor(clock.now() / 1_000));

    const plugins: PluginInstance[] = [];
    for (const [index, extension] of extensions.plugins.entries()) {
      const instance = await startExtension(extension, () => extension.definition.create(config.plugins[index]?.config, servicesFor(extension.definition.name)));
      opened.push({ name: extension.definition.name, close: async () => instance.close?.() });
      plugins.push(instance);
    }

    const findChannel = createChannels(catalog.models, {
      codec: registry.codec,
      framing: registry.framing,
      coreFits,
      pluginFits: plugins.flatMap(({ fits }) => fits ?? []),
      transport: (provider) => {
        const transport = transports.get(provider);
        if (transport === undefined) throw new GatewayError('internal_error', `No provider is called ${provider}.`);
        return transport.send;
      },
    });
    const observers = plugins.filter(({ observe }) => observe !== undefined);
    const dispatch = createDispatch({
      strategy: selectStrategy(plugins),
      interceptors: plugins.flatMap((plugin) => (plugin.interceptor === undefined ? [] : [plugin.interceptor.bind(plugin)])),
      lane: createLane({ findChannel, clock, codec: registry.codec, framing: registry.framing }),
      observe: (exchange, attempt) => observers.forEach((plugin) => plugin.observe?.(exchange, attempt)),
    });
    const identify = composeIdentify(plugins);
    const run = createExchangeRunner({ catalog, identify, admit: composeAdmit(plugins), dispatch, framing: registry.framing, stream: config.stream, log, clock });

    const health = createHealth();
    const data = await listen(createDataApp({ config, catalog, codecs: registry.codecs, codec: registry.codec, identify, run, plugins, health, clock, log }), config.server);
    opened.push({ name: 'data listener', close: data.drain });
    const admin = await listen(createAdminApp(health, log), config.admin);
    opened.push({ name: 'admin listener', close: admin.drain });
    health.phase = 'serving';

    return {
      data,
      admin,
      firstKey,
      stop: async () => {
        health.phase = 'draining';
        for (const { name, error } of await closeAll(opened)) log.error({ name, error }, 'closing failed');
      },
      cut: () => {
        data.cut();
        admin.cut();
      },
    };
  } catch (thrown) {
    await closeAll(opened);
    throw thrown;
  }
};
