import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { findFamily } from '../../catalog/capabilities.ts';
import { describePrice, type DescribedPrice } from '../../catalog/describe-price.ts';
import { listKnownEntries } from '../../catalog/wildcards.ts';
import { listTargetPrices, priceAt } from '../../catalog/target-prices.ts';
import type { ModelConfig, TargetConfig } from '../../config/gateway-config.ts';
import type { LoadedConfig } from '../../config/load.ts';

/** A target that requests go to, or could go to: its limits, and its price in USD per million tokens. */
export interface ListedTarget {
  /** `provider/model`. */
  readonly target: string;
  readonly contextTokens?: number;
  readonly maxOutput?: number;
  readonly price: DescribedPrice | 'unpriced';
  /** Prices with a date in the future, the next one first. */
  readonly later?: readonly DescribedPrice[];
}
export interface ListedModel {
  readonly model: string;
  readonly aliases: readonly string[];
  /** In failover order. */
  readonly targets: readonly ListedTarget[];
}

type Loaded = Pick<LoadedConfig, 'config' | 'extensions'>;

const listTarget = (
  { config, extensions }: Loaded,
  target: TargetConfig,
  entry: Partial<Pick<ModelConfig, 'capabilities' | 'priceFactor'>>,
  now: number,
): ListedTarget => {
  const { provider, model } = target;
  const { models = [], prices = [] } = extensions.providers[provider]?.definition ?? {};
  const { contextTokens, maxOutput } = { ...findFamily(models, model), ...entry.capabilities };
  const known = listTargetPrices({ target, shipped: prices, provider: config.providers[provider], model: entry });
  const price = priceAt(known, now);
  const later = known
    .filter(({ from = 0, until = Infinity }) => from > now && until > now)
    .sort((one, other) => (one.from ?? 0) - (other.from ?? 0));
  return omitUndefined({
    target: `${provider}/${model}`,
    contextTokens,
    maxOutput,
    price: price === undefined ? 'unpriced' : describePrice(price),
    later: later.length === 0 ? undefined : later.map(describePrice),
  });
};

/** The entries of the configuration in its order, then the models that are known to match its wildcards. */
const listEntries = ({ config, extensions }: Loaded): readonly (readonly [string, ModelConfig])[] => {
  const known = listKnownEntries(config.models, (name) => extensions.providers[name]?.definition.prices ?? []);
  const entries = Object.entries(config.models);
  return [...entries, ...[...known].filter(([id]) => !Object.hasOwn(config.models, id))];
};

/** Every model of the configuration, in its order. @param now unix milliseconds, for prices with dates */
export const listModels = (loaded: Loaded, now = Date.now()): readonly ListedModel[] =>
  listEntries(loaded).map(([id, entry]) => ({
    model: id,
    aliases: Object.entries(loaded.config.aliases).flatMap(([alias, of]) => (of === id ? [alias] : [])),
    targets: entry.targets.map((target) => listTarget(loaded, target, entry, now)),
  }));

/** Prices that the providers of the configuration ship for models that it does not name. */
export function listUnused(loaded: Loaded, now = Date.now()): readonly ListedTarget[] {
  const used = new Set(
    listEntries(loaded).flatMap(([, { targets }]) => targets.map(({ provider, model }) => `${provider}/${model}`)),
  );
  return Object.entries(loaded.extensions.providers).flatMap(([provider, { definition }]) =>
    (definition.prices ?? [])
      .flatMap(({ models }) => models)
      .filter((model) => !used.has(`${provider}/${model}`))
      .map((model) => listTarget(loaded, { provider, model }, {}, now)),
  );
}
