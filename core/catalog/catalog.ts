import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { CallTimeouts, GatewayConfig, ModelConfig, TargetConfig } from '../config/gateway-config.ts';
import type { Capabilities, ModelFamily } from '../contracts/capabilities.ts';
import type { AnyCodec, ModelEntry } from '../contracts/codec.ts';
import type { Target } from '../contracts/exchange.ts';
import type { ShippedPrice } from '../contracts/price.ts';
import type { ProviderInstance } from '../contracts/provider.ts';
import { foldName } from '../contracts/references.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import { findFamily } from './capabilities.ts';
import { findShippedPrice } from './shipped-price.ts';

/** A provider that has started, with the data its definition ships. */
export interface RunningProvider {
  readonly instance: ProviderInstance;
  readonly families: readonly ModelFamily[];
  readonly prices: readonly ShippedPrice[];
  /** Members of requests by which it would choose models or addresses. */
  readonly refused?: readonly string[];
}

/** A catalog entry with everything resolved that does not depend on a request. */
export interface Model {
  readonly id: string;
  readonly entry: ModelEntry;
  /** In failover order. */
  readonly targets: readonly Target[];
  /** Shipped data and overrides of each target, before the wire's own limits. */
  readonly capabilities: ReadonlyMap<Target, Capabilities>;
  /** The most that any target can write; undefined where that is not known of all. */
  readonly maxOutput: number | undefined;
  /** Lifetime of the cache marks that the gateway places. */
  readonly promptCache?: CacheMark['ttl'];
  /** How long calls for it may take, instead of what its providers say. */
  readonly timeouts?: Partial<CallTimeouts>;
  /**
   * Members of requests that are refused, folded, each with the first provider that would choose models or addresses by
   * it.
   */
  readonly refused: ReadonlyMap<string, string>;
  /** May a client of this wire name the model? */
  serves(wire: WireName): boolean;
}

export interface Catalog {
  /** By id or alias. */
  find(name: string): Model | undefined;
  readonly models: readonly Model[];
}

const UNPRICED = "nobody says what it costs, and 'unpriced' is reject: give it a price";

const reasonsOf = ({
  efforts = [],
  thinking = 'none',
  thinkingOff,
  thinksUnasked,
}: Capabilities): Pick<Target, 'reasons'> => {
  if (thinking === 'none' && !efforts.some((effort) => effort !== 'none')) return {};
  if (thinkingOff === false) return { reasons: 'always' };
  return thinksUnasked === false ? {} : { reasons: 'unasked' };
};

const createTarget = (
  provider: RunningProvider,
  { provider: name, model, wire, price = findShippedPrice(provider.prices, model) }: TargetConfig,
  unpriced: ModelConfig['unpriced'],
  capabilities: Capabilities,
): Target => {
  const isRefused = price === undefined && unpriced === 'reject';
  const usable = isRefused ? [] : provider.instance.credentials.filter(({ unavailable }) => unavailable === undefined);
  const reason = isRefused
    ? UNPRICED
    : (provider.instance.credentials.find(({ unavailable }) => unavailable !== undefined)?.unavailable ??
      'it has no credentials');
  return {
    id: `${name}/${model}`,
    provider: name,
    model,
    ...(wire === undefined ? {} : { wire }),
    ...(price === undefined ? {} : { price }),
    ...reasonsOf(capabilities),
    endpoint: provider.instance.endpoint(model),
    credentials: usable.map(({ id }) => id),
    ...(usable.length === 0 ? { unavailable: reason } : {}),
  };
};

/**
 * Where the configuration does not say: every wire that asks for something which a target does, but those that have to
 * be opened.
 */
const listWires = (clientWires: readonly ClientWire[], targets: readonly Target[]): readonly WireName[] => {
  const served = new Set(targets.flatMap(({ endpoint }) => endpoint.wires.map(({ operation }) => operation)));
  return clientWires
    .filter(({ optIn, operations }) => optIn !== true && operations.some((operation) => served.has(operation)))
    .map(({ wire }) => wire);
};

const mostOutput = (capabilities: readonly Capabilities[]): number | undefined => {
  const known = capabilities.flatMap(({ maxOutput }) => (maxOutput === undefined ? [] : [maxOutput]));
  return known.length === 0 || known.length < capabilities.length ? undefined : Math.max(...known);
};

const listRefused = (
  targets: readonly Target[],
  providers: ReadonlyMap<string, RunningProvider>,
): ReadonlyMap<string, string> =>
  new Map(
    targets
      .toReversed()
      .flatMap(({ provider }) =>
        (providers.get(provider)?.refused ?? []).map((name): readonly [string, string] => [foldName(name), provider]),
      ),
  );

const createModel = (
  id: string,
  config: ModelConfig,
  providers: ReadonlyMap<string, RunningProvider>,
  clientWires: readonly ClientWire[],
  created: number,
): Model => {
  const capabilities = new Map<Target, Capabilities>();
  for (const target of config.targets) {
    const provider = providers.get(target.provider);
    if (provider === undefined) continue;
    const known = { ...findFamily(provider.families, target.model), ...config.capabilities };
    capabilities.set(createTarget(provider, target, config.unpriced, known), known);
  }
  const targets = [...capabilities.keys()];
  const [first] = capabilities.values();
  const wires = config.wires ?? listWires(clientWires, targets);
  return omitUndefined({
    id,
    targets,
    capabilities,
    refused: listRefused(targets, providers),
    maxOutput: mostOutput([...capabilities.values()]),
    promptCache: config.promptCache,
    timeouts: config.timeouts,
    entry: { id, provider: id.slice(0, id.indexOf('/')), wires, capabilities: first ?? {}, created },
    serves: (wire) => wires.includes(wire),
  });
};

/** A wire that clients can speak here, and what it asks for. */
export interface ClientWire {
  readonly wire: WireName;
  readonly operations: readonly Operation[];
  /** As in the wire's traits. */
  readonly optIn?: boolean;
}
export function listClientWires(codecs: readonly AnyCodec[]): readonly ClientWire[] {
  const facing = codecs.filter(({ client }) => client !== undefined);
  return [...Map.groupBy(facing, ({ wire }) => wire)].map(([wire, codecs]) => ({
    wire,
    operations: codecs.map(({ operation }) => operation),
    ...(codecs.some(({ traits }) => traits?.optIn === true) ? { optIn: true } : {}),
  }));
}

/**
 * Models and aliases in one map: the cost of a look-up does not grow with the catalog.
 * @param clientWires all that are spoken to clients; a model without a list of its own serves those it can, but none
 * that has to be opened
 * @param created Unix seconds; what the lists show as a model's birth
 */
export function createCatalog(
  config: Pick<GatewayConfig, 'models' | 'aliases'>,
  providers: ReadonlyMap<string, RunningProvider>,
  clientWires: readonly ClientWire[],
  created: number,
): Catalog {
  const byName = new Map(
    Object.entries(config.models).map(([id, model]) => [id, createModel(id, model, providers, clientWires, created)]),
  );
  const models = [...byName.values()];
  for (const [alias, id] of Object.entries(config.aliases)) {
    const model = byName.get(id);
    if (model !== undefined) byName.set(alias, model);
  }
  return { find: (name) => byName.get(name), models };
}
