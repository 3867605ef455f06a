import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { HostedToolKind } from '../canonical/tool.ts';
import type { CallTimeouts, GatewayConfig, ModelConfig, TargetConfig } from '../config/gateway-config.ts';
import type { HostedToolsSetting } from '../contracts/caller.ts';
import type { AgentBound, Capabilities, ModelFamily } from '../contracts/capabilities.ts';
import type { ModelEntry } from '../contracts/codec-context.ts';
import type { Target } from '../contracts/target.ts';
import type { ShippedPrice } from '../contracts/price.ts';
import type { ProviderInstance } from '../contracts/provider.ts';
import { foldName } from '../contracts/request-members.ts';
import type { CacheMark } from '../canonical/part.ts';
import type { WireName } from '../canonical/wire.ts';
import { findFamily } from './capabilities.ts';
import { listWires, type ClientWire } from './client-wires.ts';
import { listCredentials } from './credentials.ts';
import { readDefaults, type RequestDefaults } from './request-defaults.ts';
import { setBounded } from '../services/bounded-map.ts';
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
  /** It is an agent of the vendor: what each run reserves. */
  readonly agent?: AgentBound;
  /** The lifetime of cache marks that the gateway adds. */
  readonly promptCache?: CacheMark['ttl'];
  /** Set in generation requests that do not set them. */
  readonly defaults?: RequestDefaults;
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
  /** Those of the configuration, and those that are known to match its wildcards. All of them are created for it. */
  readonly models: readonly Model[];
  /** The ids of models by their aliases. */
  readonly aliases: Readonly<Record<string, string>>;
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
    agent: first?.agent,
    promptCache: config.promptCache,
    defaults: config.defaults && readDefaults(config.defaults),
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

/** Finds models that only a wildcard matches; undefined if there is no wildcard. */
const createFindOpen = (
  models: GatewayConfig['models'],
  pricesOf: PricesOf,
  create: (id: string, entry: ModelConfig) => Model,
): ((id: string) => Model | undefined) | undefined => {
  if (!Object.keys(models).some(isWildcard)) return undefined;
  const open = new Map<string, Model>();
  return (id) => {
    const entry = open.has(id) ? undefined : openEntry(models, id, pricesOf);
    const model = open.get(id) ?? (entry && create(id, entry));
    if (model !== undefined) setBounded(open, MAX_OPEN, id, model);
    return model;
  };
};

/**
 * The catalog of a configuration. A model is created when it is first named: a start creates none. Models and aliases
 * share one map, so the cost of a lookup does not grow with the catalog.
 * @param clientWires all client wires; a model without `wires` is available on those it supports, except opt-in wires
 * @param created Unix seconds; the creation time of models in lists
 * @param now Unix milliseconds, for prices with dates
 */
export function createCatalog(
  config: Pick<GatewayConfig, 'models' | 'aliases'>,
  providers: ReadonlyMap<string, RunningProvider>,
  clientWires: readonly ClientWire[],
  created: number,
  labels: ModelLabels = new ModelLabels(),
  now: () => number = Date.now,
): Catalog {
  const pricesOf: PricesOf = (provider) => providers.get(provider)?.prices ?? [];
  const findPrice = createFindPrice(config.models, providers, now);
  const parts: CatalogParts = { providers, clientWires, created, findPrice, now };
  const owners = new WeakMap<Target, Model>();
  const create = (id: string, entry: ModelConfig, label?: string): Model => {
    const model = createModel(id, entry, parts, label);
    for (const target of model.targets) owners.set(target, model);
    return model;
  };
  const known = listKnownEntries(config.models, pricesOf);
  const entries = new Map(known);
  for (const id of Object.values(config.aliases)) {
    const entry = entries.has(id) ? undefined : openEntry(config.models, id, pricesOf);
    if (entry !== undefined) entries.set(id, entry);
  }
  const findOpen = createFindOpen(config.models, pricesOf, (id, entry) => create(id, entry, labels.label(id)));
  const byName = new Map<string, Model>();
  const find = (name: string): Model | undefined => {
    const found = byName.get(name);
    if (found !== undefined) return found;
    const id = (Object.hasOwn(config.aliases, name) ? config.aliases[name] : undefined) ?? name;
    const entry = entries.get(id);
    if (entry === undefined) return findOpen?.(name);
    const model = byName.get(id) ?? create(id, entry);
    byName.set(id, model).set(name, model);
    return model;
  };
  return {
    find,
    get models() {
      return [...known.keys()].flatMap((id) => find(id) ?? []);
    },
    aliases: config.aliases,
    ownerOf: (target) => owners.get(target),
  };
}
