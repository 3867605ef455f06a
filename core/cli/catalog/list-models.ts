import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { findFamily } from '../../catalog/capabilities.ts';
import { describePrice, type DescribedPrice } from '../../catalog/describe-price.ts';
import { findShippedPrice } from '../../catalog/shipped-price.ts';
import type { ModelConfig, TargetConfig } from '../../config/gateway-config.ts';
import type { LoadedConfig } from '../../config/load.ts';

/** A target that requests go to, or could go to: its limits, and its price in USD per million tokens. */
export interface ListedTarget {
  /** `provider/model`. */
  readonly target: string;
  readonly contextTokens?: number;
  readonly maxOutput?: number;
  readonly price: DescribedPrice | 'unpriced';
}
export interface ListedModel {
  readonly model: string;
  readonly aliases: readonly string[];
  /** In failover order. */
  readonly targets: readonly ListedTarget[];
}

type Loaded = Pick<LoadedConfig, 'config' | 'extensions'>;

const listTarget = (
  { extensions }: Loaded,
  { provider, model, price: configured }: TargetConfig,
  overrides: Partial<ModelConfig['capabilities']>,
): ListedTarget => {
  const { models = [], prices = [] } = extensions.providers[provider]?.definition ?? {};
  const { contextTokens, maxOutput } = { ...findFamily(models, model), ...overrides };
  const price = configured ?? findShippedPrice(prices, model);
  return omitUndefined({
    target: `${provider}/${model}`,
    contextTokens,
    maxOutput,
    price: price === undefined ? 'unpriced' : describePrice(price),
  });
};

/** Every model of the configuration, in its order. */
export const listModels = (loaded: Loaded): readonly ListedModel[] =>
  Object.entries(loaded.config.models).map(([id, { targets, capabilities }]) => ({
    model: id,
    aliases: Object.entries(loaded.config.aliases).flatMap(([alias, of]) => (of === id ? [alias] : [])),
    targets: targets.map((target) => listTarget(loaded, target, capabilities)),
  }));

/** Prices that the providers of the configuration ship for models that it does not name. */
export function listUnused(loaded: Loaded): readonly ListedTarget[] {
  const used = new Set(
    Object.values(loaded.config.models).flatMap(({ targets }) =>
      targets.map(({ provider, model }) => `${provider}/${model}`),
    ),
  );
  return Object.entries(loaded.extensions.providers).flatMap(([provider, { definition }]) =>
    (definition.prices ?? [])
      .flatMap(({ models }) => models)
      .filter((model) => !used.has(`${provider}/${model}`))
      .map((model) => listTarget(loaded, { provider, model }, {})),
  );
}
