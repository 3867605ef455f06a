import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { HostedToolKind } from '../canonical/tool.ts';
import type { CallTimeouts, GatewayConfig, ModelConfig, TargetConfig } from '../config/gateway-config.ts';
import type { HostedToolsSetting } from '../contracts/caller.ts';
import type { Capabilities, ModelFamily } from '../contracts/capabilities.ts';
import type { ModelEntry } from '../contracts/codec-context.ts';
import type { Target } from '../contracts/exchange.ts';
import type { ShippedPrice } from '../contracts/price.ts';
import type { ProviderInstance } from '../contracts/provider.ts';
import { foldName } from '../contracts/request-members.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { WireName } from '../canonical/wire.ts';
import { findFamily } from './capabilities.ts';
import { listWires, type ClientWire } from './client-wires.ts';
import { listCredentials } from './credentials.ts';
import { setBounded } from '../services/bounded-map.ts';
import { runAtOnce, type Steps } from '../services/slices.ts';
import { isWildcard } from '../config/wildcards.ts';
import { createFindPrice, isDated, listTargetPrices, priceAt, type FindPrice } from './target-prices.ts';
import { listKnownEntries, ModelLabels, openEntry, type PricesOf } from './wildcards.ts';

/** A started provider, with the data that its definition ships. */
export interface RunningProvider {
  readonly instance: ProviderInstance;
  readonly families: readonly ModelFamily[];
  readonly prices: readonly ShippedPrice[];
  /** Multiplies all prices. */
  readonly priceFactor?: number;
  /** Request members that are refused because the provider selects models or addresses by them. */
  readonly refused?: readonly string[];
}

/** A catalog entry, with everything resolved that does not depend on a request. */
export interface Model {
  readonly id: string;
  readonly entry: ModelEntry;
  /** In failover order. */
  readonly targets: readonly Target[];
  /** Of each target: shipped data and overrides, without the restrictions of a wire. */
  readonly capabilities: ReadonlyMap<Target, Capabilities>;
  /** The largest output of any target in tokens; undefined unless it is known for all targets. */
  readonly maxOutput: number | undefined;
  /** The lifetime of cache marks that the gateway adds. */
  readonly promptCache?: CacheMark['ttl'];
  readonly hostedTools?: HostedToolsSetting;
  readonly unpricedTools: readonly HostedToolKind[];
  readonly rejectsUnpriced: boolean;
  /** Its targets without a price are used under a limit of cost, too. */
  readonly allowsUnpriced: boolean;
  /** Timeouts that override those of the providers. */
  readonly timeouts?: Partial<CallTimeouts>;
  /** The folded names of refused request members, each with the first provider that refuses it. */
  readonly refused: ReadonlyMap<string, string>;
  /** Whether the model is available on the client wire. */
  serves(wire: WireName): boolean;
}

export interface Catalog {
  /** By id or alias, or by a name that a wildcard matches. */
  find(name: string): Model | undefined;
  /** Those of the configuration, and those that are known to match its wildcards. */
  readonly models: readonly Model[];
  /** The aliases, with their models. */
  readonly aliases: ReadonlyMap<string, Model>;
  /** The model of a wildcard that has this target. */
  ownerOf(target: Target): Model | undefined;
}

/** The reason for which a target without a price is unavailable. */
const UNPRICED = "it has no price, and 'unpriced' is reject: set a price";

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

/** What models are created from, besides their entries. */
interface CatalogParts {
  readonly providers: ReadonlyMap<string, RunningProvider>;
  readonly clientWires: readonly ClientWire[];
  readonly created: number;
  readonly findPrice: FindPrice;
  readonly now: () => number;
}

const createTarget = (
  id: string,
  provider: RunningProvider,
  target: TargetConfig,
  config: ModelConfig,
  capabilities: Capabilities,
  label: string | undefined,
  { findPrice, now }: CatalogParts,
): Target => {
  const { provider: name, model, wire } = target;
  const prices = listTargetPrices({ target, shipped: provider.prices, provider, model: config });
  const isRejected = prices.length === 0 && config.unpriced === 'reject';
  const usable = isRejected ? [] : provider.instance.credentials.filter(({ unavailable }) => unavailable === undefined);
  const reason = isRejected
    ? UNPRICED
    : (provider.instance.credentials.find(({ unavailable }) => unavailable !== undefined)?.unavailable ??
      'it has no credentials');
  const created: Target = omitUndefined({
    id: `${name}/${model}`,
    provider: name,
    model,
    wire,
    price: isDated(prices) ? undefined : priceAt(prices, 0),
    priceOf: (other: string) => findPrice(name, other),
    ...reasonsOf(capabilities),
    endpoint: provider.instance.endpoint(model),
    ...listCredentials(usable),
    unavailable: usable.length === 0 ? reason : undefined,
    label: label === undefined ? undefined : { id: label, model: label === id ? model : label },
  });
  if (isDated(prices)) Object.defineProperty(created, 'price', { enumerable: true, get: () => priceAt(prices, now()) });
  return created;
};

const findMaxOutput = (capabilities: readonly Capabilities[]): number | undefined => {
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

const createModel = (id: string, config: ModelConfig, parts: CatalogParts, label?: string): Model => {
  const { providers, clientWires, created } = parts;
  const capabilities = new Map<Target, Capabilities>();
  for (const target of config.targets) {
    const provider = providers.get(target.provider);
    if (provider === undefined) continue;
    const known = { ...findFamily(provider.families, target.model), ...config.capabilities };
    capabilities.set(createTarget(id, provider, target, config, known, label, parts), known);
  }
  const targets = [...capabilities.keys()];
  const [first] = capabilities.values();
  const wires = config.wires ?? listWires(clientWires, targets);
  return omitUndefined({
    id,
    targets,
    capabilities,
    refused: listRefused(targets, providers),
    maxOutput: findMaxOutput([...capabilities.values()]),
    promptCache: config.promptCache,
    hostedTools: config.hostedTools,
    unpricedTools: config.unpricedTools ?? [],
    rejectsUnpriced: config.unpriced === 'reject',
    allowsUnpriced: config.allowsUnpriced === true,
    timeouts: config.timeouts,
    entry: { id, provider: id.slice(0, id.indexOf('/')), wires, capabilities: first ?? {}, created },
    serves: (wire) => wires.includes(wire),
  });
};

/** Models of wildcards that are kept ready in each process; of others the least recently used is created again. */
const MAX_OPEN = 500;

/** {@link createCatalog} in steps. */
export function* createCatalogInSteps(
  config: Pick<GatewayConfig, 'models' | 'aliases'>,
  providers: ReadonlyMap<string, RunningProvider>,
  clientWires: readonly ClientWire[],
  created: number,
  labels: ModelLabels = new ModelLabels(),
  now: () => number = Date.now,
): Steps<Catalog> {
  const pricesOf: PricesOf = (provider) => providers.get(provider)?.prices ?? [];
  const findPrice = yield* createFindPrice(config.models, providers, now);
  const parts: CatalogParts = { providers, clientWires, created, findPrice, now };
  const create = (id: string, entry: ModelConfig, label?: string): Model => createModel(id, entry, parts, label);
  const owners = new WeakMap<Target, Model>();
  const own = (model: Model): Model => {
    for (const target of model.targets) owners.set(target, model);
    return model;
  };
  const byName = new Map<string, Model>();
  for (const [id, entry] of listKnownEntries(config.models, pricesOf))
    yield void byName.set(id, own(create(id, entry)));
  const models = [...byName.values()];
  const aliases = new Map<string, Model>();
  for (const [alias, id] of Object.entries(config.aliases)) {
    yield;
    const entry = byName.has(id) ? undefined : openEntry(config.models, id, pricesOf);
    const model = entry === undefined ? byName.get(id) : own(create(id, entry));
    if (model === undefined) continue;
    byName.set(id, model).set(alias, model);
    aliases.set(alias, model);
  }
  const open = new Map<string, Model>();
  const findOpen = (id: string): Model | undefined => {
    let model = open.get(id);
    if (model === undefined) {
      const entry = openEntry(config.models, id, pricesOf);
      if (entry === undefined) return undefined;
      model = own(create(id, entry, labels.label(id)));
    }
    setBounded(open, MAX_OPEN, id, model);
    return model;
  };
  const hasWildcards = Object.keys(config.models).some(isWildcard);
  return {
    find: (name) => byName.get(name) ?? (hasWildcards ? findOpen(name) : undefined),
    models,
    aliases,
    ownerOf: (target) => owners.get(target),
  };
}

/**
 * Builds the catalog. Models and aliases share one map, so the cost of a lookup does not grow with the catalog. Models
 * of wildcards that are not known are created when they are first named.
 * @param clientWires all client wires; a model without `wires` is available on those it supports, except opt-in wires
 * @param created Unix seconds; the creation time of models in lists
 * @param now Unix milliseconds, for prices with dates
 */
export const createCatalog = (...parts: Parameters<typeof createCatalogInSteps>): Catalog =>
  runAtOnce(createCatalogInSteps(...parts));
