import { createCatalogInSteps, type Catalog } from '../../catalog/catalog.ts';
import { listClientWires } from '../../catalog/client-wires.ts';
import { ModelLabels } from '../../catalog/wildcards.ts';
import type { GatewayConfig, ModelConfig } from '../../config/gateway-config.ts';
import { isWildcard } from '../../config/wildcards.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import type { Fetch } from '../../contracts/services.ts';
import { composeObserve, createDispatch } from '../../dispatch/dispatcher.ts';
import { inOrder } from '../../dispatch/in-order.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { composeRewrite } from '../../exchange/rewrite.ts';
import { composeAdmit, composeAnswer } from '../../exchange/admit.ts';
import { composeEnter, composeIdentify } from '../../exchange/authenticate.ts';
import { createPipeline, type PipelineParts } from '../../exchange/pipeline.ts';
import { createIsCodingAgent } from '../../exchange/request/coding-agents.ts';
import { createAttribute } from '../../exchange/request/attribution.ts';
import { composeEnded } from '../../exchange/settle.ts';
import type { BackgroundResponses } from '../../exchange/background/background.ts';
import { createUsageWatch, UnknownUsage } from '../../exchange/usage-watch.ts';
import { coreFits } from '../../fits/index.ts';
import type { AppParts } from '../../http/app.ts';
import { composeAdmitDirect, type DirectParts } from '../../http/direct/direct-request.ts';
import { createChannels, type ChannelParts } from '../../lanes/channel.ts';
import { composeGuards } from '../../lanes/translated/content-guard.ts';
import { createLane, type LaneParts } from '../../lanes/lane.ts';
import { runInSlices } from '../../services/slices.ts';
import { createMediaSources } from '../../services/media/media-sources.ts';
import { fetchService } from '../../services/network/fetch.ts';
import { createLinkedRecords } from '../../services/vendor-state/linked-records.ts';
import { createRedisRecords } from '../../services/vendor-state/redis-records.ts';
import { VendorState } from '../../services/vendor-state/vendor-state.ts';
import { createExchangeReport } from '../admin-calls/recent-exchanges.ts';
import type { LinkPrimary } from '../link/link.ts';
import { CORE, VENDOR_STATE } from '../primary/primary-instances.ts';
import type { Runtime } from '../runtime.ts';
import { createBackground, createKeepStored, createStoredClient } from './stored-responses.ts';
import { createStartInstance, startPlugins, startProviders, type StartedProviders } from './start-extensions.ts';

/** Everything that serves one configuration. */
export interface Serving
  extends
    Omit<AppParts, 'health'>,
    Pick<LaneParts, 'findChannel' | 'framing' | 'findGuards'>,
    Pick<PipelineParts, 'attribute' | 'isCodingAgent' | 'rewrite' | 'tenancy'> {
  readonly background: BackgroundResponses;
}

export interface ServingOptions extends Pick<PipelineParts, 'refCount'> {
  /** `services.fetch` of the extensions. */
  readonly fetch?: Fetch;
}

/** A hook that at most one plugin may have. */
const selectOne = <H extends 'strategy' | 'account'>(
  plugins: readonly PluginInstance[],
  hook: H,
  what: string,
): PluginInstance[H] => {
  const [first, second] = plugins.flatMap((plugin) => plugin[hook] ?? []);
  if (second !== undefined)
    throw new GatewayError(
      'KOINE_EXTENSION_DUPLICATE',
      `Two plugins provide ${what}: keep only one of them in the configuration.`,
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

/** The models that are used although they have no price. */
const listUnpriced = ({ models }: Catalog, config: GatewayConfig): readonly string[] => {
  const isUnpriced = ({ targets }: Pick<ModelConfig, 'targets'>): boolean =>
    targets.some(({ price }) => price === undefined);
  const wildcards = Object.entries(config.models).filter(
    ([id, model]) => model.unpriced === 'warn' && isWildcard(id) && isUnpriced(model),
  );
  return [
    ...models.filter(
      ({ id, targets }) => config.models[id]?.unpriced === 'warn' && targets.some(({ price }) => price === undefined),
    ),
    ...wildcards.map(([id]) => ({ id })),
  ].map(({ id }) => id);
};

const buildCatalog = async (
  { loaded: { config, registry }, clock, log, shared }: Runtime,
  { providers }: StartedProviders,
): Promise<Catalog> => {
  const labels = shared('core/labels of models', () => new ModelLabels());
  const created = Math.floor(clock.now() / 1_000);
  const catalog = await runInSlices(
    createCatalogInSteps(config, providers, listClientWires(registry.codecs), created, labels, clock.now),
  );
  const unpriced = listUnpriced(catalog, config);
  if (unpriced.length > 0)
    log.warn({ models: unpriced }, 'these models have no price: their usage is counted without a cost');
  return catalog;
};

const createFindChannel = (
  { loaded: { config, registry }, readOn }: Runtime,
  { transports }: StartedProviders,
  { ownerOf }: Catalog,
  plugins: readonly PluginInstance[],
): LaneParts['findChannel'] =>
  createChannels({
    ownerOf,
    codec: registry.codec,
    framing: registry.framing,
    transport: (provider) => transports.get(provider),
    timeouts: (provider) => config.providers[provider]?.timeouts,
    media: createMediaSources(config.providers),
    readOn,
    coreFits,
    pluginFits: plugins.flatMap(({ fits }) => fits ?? []),
    ...composeResponseHeaders(plugins),
  });

/** In Redis if there is one, so that all hosts share the records; else in the primary process. */
const createVendorState = ({ redis, log, metrics }: Runtime, link: LinkPrimary): VendorState =>
  new VendorState(
    redis === undefined ? createLinkedRecords(link(VENDOR_STATE)) : createRedisRecords(redis),
    log,
    metrics,
  );

const buildDispatch = (
  { log }: Runtime,
  lane: LaneParts,
  vendorState: VendorState,
  background: BackgroundResponses,
  plugins: readonly PluginInstance[],
): PipelineParts['dispatch'] =>
  createDispatch({
    strategy: selectOne(plugins, 'strategy', 'a strategy') ?? inOrder,
    interceptors: plugins.flatMap((plugin) =>
      plugin.interceptor === undefined ? [] : [plugin.interceptor.bind(plugin)],
    ),
    lane: createLane(lane),
    observe: composeObserve(plugins, log),
    keepStored: createKeepStored(vendorState, background),
  });

const createReading = (
  { loaded: { config, registry }, tenancy }: Runtime,
  vendorState: VendorState,
  { find }: Catalog,
  plugins: readonly PluginInstance[],
) => ({
  vendorState,
  rewrite: composeRewrite(plugins, registry.codec, find),
  attribute: createAttribute(config),
  isCodingAgent: createIsCodingAgent(config.codingAgents),
  tenancy,
});

/** Writes the access log, and reports each line to the primary process for `/admin/exchanges`. */
const createLogExchange = ({ log, clock }: Runtime, link: LinkPrimary): PipelineParts['logExchange'] => {
  const report = createExchangeReport(link(CORE), clock);
  return (fields) => {
    log.infoJson(fields, 'exchange');
    report(fields);
  };
};

const watchUsage = ({ loaded, shared, log, metrics }: Runtime): PipelineParts['watchUsage'] =>
  createUsageWatch(
    loaded.registry.codecs,
    shared('core/unknown usage', () => new UnknownUsage(log, metrics)),
  );

/**
 * Starts everything that serves one configuration: providers, plugins, catalog, lanes, pipeline.
 * @throws GatewayError `KOINE_*`
 */
export async function startServing(
  runtime: Runtime,
  link: LinkPrimary,
  { refCount, fetch = fetchService }: ServingOptions = {},
): Promise<Serving> {
  const { loaded, log, clock, overload } = runtime;
  const { config, registry } = loaded;
  const { codec, codecs, framing } = registry;
  const start = createStartInstance(runtime, link, fetch);
  const started = await startProviders(runtime, start);
  const plugins = await startPlugins(runtime, start);
  const catalog = await buildCatalog(runtime, started);
  const findChannel = createFindChannel(runtime, started, catalog, plugins);
  const lane: LaneParts = { findChannel, clock, codec, framing, findGuards: composeGuards(plugins) };
  const vendorState = createVendorState(runtime, link);
  const direct: DirectParts = {
    refCount,
    identify: composeIdentify(plugins),
    enter: composeEnter(plugins),
    admitDirect: composeAdmitDirect(plugins),
    logExchange: createLogExchange(runtime, link),
    logDirect: (fields) => log.infoJson(fields, 'request'),
    ended: composeEnded(plugins),
    log,
    clock,
  };
  const account = selectOne(plugins, 'account', 'an account of the prompt cache');
  const settling = { ...direct, account, watchUsage: watchUsage(runtime) };
  const stored = createStoredClient(runtime, started);
  const background = createBackground(runtime, { ...settling, stored, findChannel, catalog, plugins });
  const dispatch = composeAnswer(plugins, buildDispatch(runtime, lane, vendorState, background, plugins));
  const reading = createReading(runtime, vendorState, catalog, plugins);
  const run = createPipeline({
    ...settling,
    ...reading,
    background,
    overload,
    catalog,
    admit: composeAdmit(plugins),
    dispatch,
    framing,
    stream: config.stream,
    logStart: config.accessLog.start,
  });
  return { ...lane, ...reading, config, catalog, codecs, stored, background, direct, run, plugins, log };
}
