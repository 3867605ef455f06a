import { isWildcard, matchesWildcard, readName } from '../config/wildcards.ts';
import type { ModelConfig, TargetConfig } from '../config/gateway-config.ts';
import type { ShippedPrice } from '../contracts/price.ts';
import { findShippedPrices } from './target-prices.ts';

/** The longest first: it wins. */
const byLength = (one: string, other: string): number => other.length - one.length;

/** The wildcard that an id belongs to: of several the longest. */
const findWildcard = (wildcards: readonly string[], id: string): string | undefined =>
  wildcards.filter((wildcard) => matchesWildcard(wildcard, id)).sort(byLength)[0];

export type PricesOf = (provider: string) => readonly ShippedPrice[];

/** The entry of a wildcard for one name. A price that the provider ships for the name wins over that of the entry. */
const nameTargets = (config: ModelConfig, name: string, pricesOf: PricesOf): ModelConfig => ({
  ...config,
  targets: config.targets.map((target): TargetConfig => {
    const model = target.model.replace('*', () => name);
    const shipped = findShippedPrices(pricesOf(target.provider), model);
    return { ...target, model, ...(shipped === undefined ? {} : { price: shipped }) };
  }),
});

/** The entry for an id that no entry has; undefined if no wildcard matches it. */
export function openEntry(
  models: Readonly<Record<string, ModelConfig>>,
  id: string,
  pricesOf: PricesOf,
): ModelConfig | undefined {
  const wildcard = findWildcard(Object.keys(models).filter(isWildcard), id);
  const config = wildcard === undefined ? undefined : models[wildcard];
  const name = wildcard === undefined ? undefined : readName(wildcard, id);
  return config === undefined || name === undefined ? undefined : nameTargets(config, name, pricesOf);
}

/** The ids of the models that wildcards match and that their providers ship prices for. */
const listKnownIds = (wildcard: string, { targets }: ModelConfig, pricesOf: PricesOf): readonly string[] =>
  targets
    .filter(({ model }) => isWildcard(model))
    .flatMap(({ provider, model }) =>
      pricesOf(provider)
        .flatMap(({ models }) => models)
        .flatMap((shipped) => readName(model, shipped) ?? []),
    )
    .map((name) => wildcard.replace('*', () => name));

/** The entries without wildcards, and those of the models that are known to match one. */
export function listKnownEntries(
  models: Readonly<Record<string, ModelConfig>>,
  pricesOf: PricesOf,
): ReadonlyMap<string, ModelConfig> {
  const known = new Map(Object.entries(models).filter(([id]) => !isWildcard(id)));
  for (const [wildcard, config] of Object.entries(models)) {
    if (!isWildcard(wildcard)) continue;
    for (const id of listKnownIds(wildcard, config, pricesOf)) {
      const entry = known.has(id) ? undefined : openEntry(models, id, pricesOf);
      if (entry !== undefined) known.set(id, entry);
    }
  }
  return known;
}

/** Names of models of wildcards with series of their own in the metrics, in each process. */
const MAX_LABELS = 100;
/** In place of further names. */
const OTHER = 'other';

/** The names of models in metrics. It outlives reloads, as the series do. */
export class ModelLabels {
  readonly #known = new Set<string>();

  /** @returns the id, or `other` once there are too many of them */
  label(id: string): string {
    if (this.#known.size < MAX_LABELS) this.#known.add(id);
    return this.#known.has(id) ? id : OTHER;
  }
}
