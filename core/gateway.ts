import { inOrder } from './dispatch/in-order.ts';
import { composeObserve, createDispatch } from './dispatch/dispatcher.ts';
import { createUndiciTransport } from './dispatch/undici-transport.ts';
import { createCatalog, listClientWires, type RunningProvider } from './catalog/catalog.ts';
import type { LoadedConfig } from './config/load.ts';
import type { PluginInstance, Strategy } from './contracts/plugin.ts';
import type { Transport } from './contracts/provider.ts';
import type { Clock, Services } from './contracts/services.ts';
import { GatewayError } from './errors.ts';
import { composeAdmit } from './exchange/admit.ts';
import { composeIdentify } from './exchange/identify.ts';
import { createExchangeRunner } from './exchange/run.ts';
import { closeAll, type Closable } from './extensions/close.ts';
import type { Extension, ExtensionKind } from './extensions/extension.ts';
import { startExtension, type Instances } from './extensions/start.ts';
import { coreFits } from './fits/index.ts';
import { createAdminApp, createDataApp } from './http/app.ts';
import { createHealth } from './http/health.ts';
import { listen, type Listener } from './http/listener.ts';
import { createChannels } from './lanes/channel.ts';
import { createLane } from './lanes/lane.ts';
import { openDatabase } from './services/database.ts';
import { createMediaSources } from './services/fetch-media-sources.ts';
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

/** Everything that one configuration starts; what has to be closed again is added to `opened`. */
const buildRuntime = async (loaded: LoadedConfig, { log, clock }: GatewayEnvironment, opened: Closable[]) => {
  const { config, extensions, registry } = loaded;
  const keeper = createKeeper();
  opened.push({ name: 'kept values', close: keeper.close });
  const database = openDatabase(config.store.database);
  opened.push({ name: 'database', close: () => database.destroy() });
  const table = createKeyTable(database);
  const keys = createKeyDirectory({ organizations: config.organizations, table, clock, log });
  const firstKey = await createFirstKey({ organizations: config.organizations, table, clock });

  const start = async <K extends ExtensionKind>(extension: Extension<K>, create: (services: Services) => Instances[K] | Promise<Instances[K]>): Promise<Instances[K]> => {
    const services: Services = { log: log.child({ extension: extension.use }), clock, keys, keep: keeper.keep, codec: registry.codec };
    const instance = await startExtension(extension, () => create(services));
    opened.push({ name: `${extension.kind} ${extension.use}`, close: () => instance.close?.() });
    return instance;
  };

  const providers = new Map<string, RunningProvider>();
  const transports = new Map<string, Transport>();
  const media = createMediaSources(config.providers);
  for (const [name, { config: options, timeouts }] of Object.entries(config.providers)) {
    const extension = extensions.providers[name];
    if (extension === undefined) continue;
    const transport = createUndiciTransport(timeouts);
    opened.push({ name: `connections of ${name}`, close: transport.close });
    transports.set(name, transport.send);
    const instance = await start(extension, (services) => extension.definition.create(options, services));
    providers.set(name, { instance, families: extension.definition.models ?? [] });
    if (instance.credentials.every(({ unavailable }) => unavailable !== undefined)) {
      log.warn({ provider: name, reason: instance.credentials[0]?.unavailable ?? 'it has no credentials' }, 'the models of this provider are unavailable');
    }
  }
  const plugins: PluginInstance[] = [];
  for (const [index, extension] of extensions.plugins.entries()) {
    plugins.push(await start(extension, (services) => extension.definition.create(config.plugins[index]?.config, services)));
  }

  const catalog = createCatalog(config, providers, listClientWires(registry.codecs), Math.floor(clock.now() / 1_000));
  const findChannel = createChannels(catalog.models, {
    codec: registry.codec,
    framing: registry.framing,
    transport: (provider) => transports.get(provider),
    media,
    coreFits,
    pluginFits: plugins.flatMap(({ fits }) => fits ?? []),
  });
  const dispatch = createDispatch({
    strategy: selectStrategy(plugins),
    interceptors: plugins.flatMap((plugin) => (plugin.interceptor === undefined ? [] : [plugin.interceptor.bind(plugin)])),
    lane: createLane({ findChannel, clock, codec: registry.codec, framing: registry.framing }),
    observe: composeObserve(plugins, log),
  });
  const identify = composeIdentify(plugins);
  const run = createExchangeRunner({ catalog, identify, admit: composeAdmit(plugins), dispatch, framing: registry.framing, stream: config.stream, log, clock });
  return { firstKey, app: { config, catalog, codecs: registry.codecs, codec: registry.codec, identify, run, plugins, clock, log } };
};

/**
 * The start order: database and keys, providers, plugins, catalog, lanes, listeners. Whatever fails stops the start;
 * what was opened before is closed again.
 * @throws GatewayError `KOINE_*`
 */
export const startGateway = async (loaded: LoadedConfig, environment: GatewayEnvironment): Promise<Gateway> => {
  const opened: Closable[] = [];
  const close = async (): Promise<void> => {
    for (const { name, error } of await closeAll(opened)) environment.log.error({ name, error }, 'something failed to close');
  };
  const { config } = loaded;
  try {
    const { firstKey, app } = await buildRuntime(loaded, environment, opened);
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
