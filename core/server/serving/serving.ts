import { createCatalog, type Catalog } from '../../catalog/catalog.ts';
import { listClientWires } from '../../catalog/client-wires.ts';
import { listTargetPrices, priceAt } from '../../catalog/target-prices.ts';
import { ModelLabels } from '../../catalog/wildcards.ts';
import type { GatewayConfig, ModelConfig, TargetConfig } from '../../config/gateway-config.ts';
import { isWildcard } from '../../config/wildcards.ts';
import type { PluginInstance } from '../../contracts/plugin.ts';
import type { Fetch } from '../../contracts/services.ts';
import { composeObserve, createDispatch } from '../../dispatch/dispatcher.ts';
import { composeOrder, inOrder } from '../../dispatch/in-order.ts';
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
import { createMediaSources } from '../../services/media/media-sources.ts';
import { fetchService } from '../../services/network/fetch.ts';
import { createLinkedRecords } from '../../services/vendor-state/linked-records.ts';
import { createRedisRecords } from '../../services/vendor-state/redis-records.ts';
import { VendorState } from '../../services/vendor-state/vendor-state.ts';
import { createExchangeReport } from '../admin-calls/recent-exchanges.ts';
import type { LinkPrimary } from '../link/link.ts';
import { createRedeem } from '../playground/own-requests.ts';
import { CORE, GRANTS, VENDOR_STATE } from '../primary/primary-instances.ts';
import type { Runtime } from '../runtime.ts';
import { selectOne } from './single-hooks.ts';
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
const listUnpriced = (
  models: GatewayConfig['models'],
  { providers }: StartedProviders,
  now: number,
): readonly string[] => {
  const isPriced = (id: string, model: ModelConfig, target: TargetConfig): boolean => {
    if (isWildcard(id)) return target.price !== undefined;
    const provider = providers.get(target.provider);
    return priceAt(listTargetPrices({ target, model, provider, shipped: provider?.prices ?? [] }), now) !== undefined;
  };
  const found = Object.entries(models).flatMap(([id, model]) =>
    model.unpriced === 'warn' && !model.targets.every((target) => isPriced(id, model, target)) ? [id] : [],
  );
  return [...found.filter((id) => !isWildcard(id)), ...found.filter(isWildcard)];
};

const buildCatalog = (
  { loaded: { config, registry }, clock, log, shared }: Runtime,
  started: StartedProviders,
): Catalog => {
  const labels = shared('core/labels of models', () => new ModelLabels());
  const now = clock.now();
  const wires = listClientWires(registry.codecs);
  const unpriced = listUnpriced(config.models, started, now);
  if (unpriced.length > 0)
    log.warn({ models: unpriced }, 'these models have no price: their usage is counted without a cost');
  return createCatalog(config, started.providers, wires, Math.floor(now / 1_000), labels, clock.now);
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

/** In Redis if there is one, so that all hosts share the records; else in the main thread. */
const createVendorState = ({ redis, log, metrics, loaded: { config } }: Runtime, link: LinkPrimary): VendorState =>
  new VendorState(
    redis === undefined ? createLinkedRecords(link(VENDOR_STATE)) : createRedisRecords(redis),
    log,
    metrics,
    { keep: config.responses.items.for, size: config.responses.items.size },
  );

const buildDispatch = (
  { log }: Runtime,
  lane: LaneParts,
  vendorState: VendorState,
  background: BackgroundResponses,
  plugins: readonly PluginInstance[],
): PipelineParts['dispatch'] =>
  createDispatch({
    strategy: selectOne(plugins, 'strategy') ?? inOrder,
    order: composeOrder(plugins),
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
  catalog: Catalog,
  plugins: readonly PluginInstance[],
) => ({
  vendorState,
  rewrite: composeRewrite(plugins, registry.codec, catalog),
  attribute: createAttribute(config),
  isCodingAgent: createIsCodingAgent(config.codingAgents),
  tenancy,
});

/** Writes the access log, and reports each line to the main thread for `/admin/exchanges`. */
const createLogExchange = ({ log }: Runtime, link: LinkPrimary): PipelineParts['logExchange'] => {
  const report = createExchangeReport(link(CORE));
  return (fields, outcome, startedAt, limited) => {
    report({ line: log.infoJson(fields, 'exchange'), outcome, startedAt, limited });
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
  const catalog = buildCatalog(runtime, started);
  const findChannel = createFindChannel(runtime, started, catalog, plugins);
  const vendorState = createVendorState(runtime, link);
  const keepItems = vendorState.keepItems.bind(vendorState);
  const lane: LaneParts = { findChannel, clock, codec, framing, findGuards: composeGuards(plugins), keepItems };
  const direct: DirectParts = {
    refCount,
    identify: composeIdentify(plugins, createRedeem(link(GRANTS))),
    enter: composeEnter(plugins),
    admitDirect: composeAdmitDirect(plugins),
    logExchange: createLogExchange(runtime, link),
    logDirect: (fields) => log.infoJson(fields, 'request'),
    ended: composeEnded(plugins),
    log,
    clock,
  };
  const account = selectOne(plugins, 'account');
  const settling = { ...direct, account, watchUsage: watchUsage(runtime) };
  const stored = createStoredClient(runtime, started);
  const background = createBackground(runtime, { ...settling, stored, codec, catalog, plugins });
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
