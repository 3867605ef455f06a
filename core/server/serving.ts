import { inOrder } from '../dispatch/in-order.ts';
import { composeObserve, createDispatch } from '../dispatch/dispatcher.ts';
import { createUndiciTransport } from '../dispatch/undici-transport.ts';
import { createCatalog, listClientWires, type RunningProvider } from '../catalog/catalog.ts';
import { folderOf } from '../config/load.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import { foldName } from '../contracts/references.ts';
import type { Fetch, Services } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { composeAdmit } from '../exchange/admit.ts';
import { composeEnter, composeIdentify } from '../exchange/authenticate.ts';
import { guardPlugin } from '../exchange/guard/guard-plugin.ts';
import { createPipeline, type PipelineParts } from '../exchange/pipeline.ts';
import { composeEnded } from '../exchange/settle.ts';
import type { Extension, ExtensionKind } from '../extensions/extension.ts';
import { startExtension, type Instances } from '../extensions/start.ts';
import { coreFits } from '../fits/index.ts';
import type { AppParts } from '../http/app.ts';
import { createChannels, type ChannelParts, type Send } from '../lanes/channel.ts';
import { createLane, type LaneParts } from '../lanes/lane.ts';
import type { LinkPrimary } from './link/link.ts';
import { createMediaSources } from '../services/media/media-sources.ts';
import { fetchService } from '../services/network/fetch.ts';
import { CORE } from './primary/primary-instances.ts';
import { createExchangeReport } from './admin-calls/recent-exchanges.ts';
import type { Runtime } from './runtime.ts';

/** What at most one plugin may bring. */
const selectOne = <H extends 'strategy' | 'account'>(
  plugins: readonly PluginInstance[],
  hook: H,
  what: string,
): PluginInstance[H] => {
  const [first, second] = plugins.flatMap((plugin) => plugin[hook] ?? []);
  if (second !== undefined)
    throw new GatewayError(
      'KOINE_EXTENSION_DUPLICATE',
      `Two plugins bring ${what}; the configuration may name one of them.`,
    );
  return first;
};

/** Calls the hook of every plugin in YAML order; absent where no plugin has one. */
const composeResponseHeaders = (plugins: readonly PluginInstance[]): Pick<ChannelParts, 'onResponseHeaders'> => {
  const hooks = plugins.flatMap(({ onResponseHeaders }) => onResponseHeaders ?? []);
  if (hooks.length === 0) return {};
  return {
    onResponseHeaders: (attempt, status, headers) => {
      for (const hook of hooks) hook(attempt, status, headers);
    },
  };
};

/** What serves one configuration. */
export interface Serving extends Omit<AppParts, 'health'>, Pick<LaneParts, 'findChannel' | 'framing'> {}

export interface ServingOptions extends Pick<PipelineParts, 'refCount'> {
  /** Lent to extensions. */
  readonly fetch?: Fetch;
}

/**
 * Everything that serves one configuration: providers, plugins, catalog, lanes.
 * @throws GatewayError `KOINE_*`
 */
export async function startServing(
  runtime: Runtime,
  link: LinkPrimary,
  { refCount, fetch = fetchService }: ServingOptions = {},
): Promise<Serving> {
  const { loaded, log, clock, keys, tenancy, redis, metrics, keep, overload, readOn, opened } = runtime;
  const { config, extensions, registry } = loaded;

  const start = async <K extends ExtensionKind>(
    extension: Extension<K>,
    create: (services: Services) => Instances[K] | Promise<Instances[K]>,
  ): Promise<Instances[K]> => {
    const services: Services = {
      log: log.child({ extension: extension.use }),
      clock,
      keys,
      tenancy,
      redis,
      metrics,
      fetch,
      databaseUrl: config.store.database,
      folder: folderOf(loaded),
      primary: link(extension.use),
      keep,
      codec: registry.codec,
    };
    const instance = await startExtension(extension, () => create(services));
    opened.push({ name: `${extension.kind} ${extension.use}`, close: () => instance.close?.() });
    return instance;
  };

  const providers = new Map<string, RunningProvider>();
  const transports = new Map<string, Send>();
  const media = createMediaSources(config.providers);
  for (const [
    name,
    {
      config: options,
      timeouts: { connect },
      allowMetadata,
      refuseMembers,
      acceptMembers,
    },
  ] of Object.entries(config.providers)) {
    const extension = extensions.providers[name];
    if (extension === undefined) continue;
    const kept = `core/connections of ${name} within ${connect}, allowing ${allowMetadata.join(' ')}`;
    const transport = keep(
      kept,
      () => createUndiciTransport({ connect, allowMetadata }),
      ({ close }) => close(),
    );
    transports.set(name, transport.send);
    const instance = await start(extension, (services) => extension.definition.create(options, services));
    const { models: families = [], prices = [], refuses = [] } = extension.definition;
    const accepted = new Set(acceptMembers.map(foldName));
    const refused = [...refuses, ...refuseMembers].filter((member) => !accepted.has(foldName(member)));
    providers.set(name, { instance, families, prices, refused });
    if (instance.credentials.every(({ unavailable }) => unavailable !== undefined)) {
      log.warn(
        { provider: name, reason: instance.credentials[0]?.unavailable ?? 'it has no credentials' },
        'the models of this provider are unavailable',
      );
    }
  }
  const plugins: PluginInstance[] = [];
  for (const [index, extension] of extensions.plugins.entries()) {
    const settings = config.plugins[index];
    if (settings === undefined) continue;
    const plugin = await start(extension, (services) => extension.definition.create(settings.config, services));
    plugins.push(
      guardPlugin(plugin, {
        plugin: extension.definition.name,
        timeout: settings.timeout,
        onError: settings.onError,
        log,
        metrics,
      }),
    );
  }

  const catalog = createCatalog(config, providers, listClientWires(registry.codecs), Math.floor(clock.now() / 1_000));
  const unpriced = catalog.models
    .filter(
      ({ id, targets }) => config.models[id]?.unpriced === 'warn' && targets.some(({ price }) => price === undefined),
    )
    .map(({ id }) => id);
  if (unpriced.length > 0)
    log.warn({ models: unpriced }, 'nobody says what these models cost: what they use is counted, and no money');
  const findChannel = createChannels(catalog.models, {
    codec: registry.codec,
    framing: registry.framing,
    transport: (provider) => transports.get(provider),
    timeouts: (provider) => config.providers[provider]?.timeouts,
    media,
    readOn,
    coreFits,
    pluginFits: plugins.flatMap(({ fits }) => fits ?? []),
    ...composeResponseHeaders(plugins),
  });
  const dispatch = createDispatch({
    strategy: selectOne(plugins, 'strategy', 'a strategy') ?? inOrder,
    interceptors: plugins.flatMap((plugin) =>
      plugin.interceptor === undefined ? [] : [plugin.interceptor.bind(plugin)],
    ),
    lane: createLane({ findChannel, clock, codec: registry.codec, framing: registry.framing }),
    observe: composeObserve(plugins, log),
  });
  const identify = composeIdentify(plugins);
  const ended = composeEnded(plugins);
  const account = selectOne(plugins, 'account', 'an account of the prompt cache');
  const report = createExchangeReport(link(CORE), clock);
  const logExchange = (fields: string): void => {
    log.infoJson(fields, 'exchange');
    report(fields);
  };
  const run = createPipeline({
    refCount,
    overload,
    catalog,
    identify,
    enter: composeEnter(plugins),
    admit: composeAdmit(plugins),
    dispatch,
    framing: registry.framing,
    stream: config.stream,
    logStart: config.accessLog.start,
    account,
    logExchange,
    ended,
    log,
    clock,
  });
  return {
    config,
    catalog,
    codecs: registry.codecs,
    codec: registry.codec,
    framing: registry.framing,
    findChannel,
    identify,
    run,
    ended,
    plugins,
    clock,
    log,
  };
}
