import { multiplyPrice, resolvePrices } from '../config/resolve/resolve-price.ts';
import { findShippedPrice } from '../config/resolve/shipped-price.ts';
import type { ModelConfig, ProviderConfig, TargetConfig } from '../config/gateway-config.ts';
import type { Price, ShippedPrice } from '../contracts/price.ts';

const resolvedPrices = new WeakMap<ShippedPrice, readonly Price[]>();

/** The shipped prices of the exact name. */
export function findShippedPrices(prices: readonly ShippedPrice[], model: string): readonly Price[] | undefined {
  const shipped = findShippedPrice(prices, model);
  if (shipped === undefined) return undefined;
  const known = resolvedPrices.get(shipped);
  if (known !== undefined) return known;
  const resolved = resolvePrices(shipped.price, { page: shipped.page, seen: shipped.seen });
  resolvedPrices.set(shipped, resolved);
  return resolved;
}

/** What the prices of a target depend on. */
export interface PriceParts {
  readonly target: Pick<TargetConfig, 'model' | 'price'>;
  /** What the provider ships. */
  readonly shipped: readonly ShippedPrice[];
  readonly provider: Pick<ProviderConfig, 'priceFactor'> | undefined;
  readonly model: Pick<ModelConfig, 'priceFactor'> | undefined;
}

/** Every price that a target has at any time; empty if none is known. */
export const listTargetPrices = ({ target, shipped, provider, model }: PriceParts): readonly Price[] =>
  (target.price ?? findShippedPrices(shipped, target.model) ?? []).map((price) =>
    multiplyPrice(price, provider?.priceFactor, model?.priceFactor),
  );

/** The price at a time: of those that are valid, the one with the latest start. @param now unix milliseconds */
export function priceAt(prices: readonly Price[], now: number): Price | undefined {
  let latest: Price | undefined;
  for (const price of prices) {
    const { from = -Infinity, until = Infinity } = price;
    if (now >= from && now < until && from >= (latest?.from ?? -Infinity)) latest = price;
  }
  return latest;
}

/** Whether the price of a target depends on the time. */
export const isDated = (prices: readonly Price[]): boolean =>
  prices.some(({ from, until }) => from !== undefined || until !== undefined);

/** The first target of each model of a provider, by `provider/model`. */
const indexTargets = (
  models: Readonly<Record<string, ModelConfig>>,
): ReadonlyMap<string, readonly [TargetConfig, ModelConfig]> =>
  new Map(
    Object.values(models)
      .toReversed()
      .flatMap((config) =>
        config.targets.toReversed().map((target) => [`${target.provider}/${target.model}`, [target, config]] as const),
      ),
  );

/** Finds the price of a model of a provider, which may have no target. */
export type FindPrice = (provider: string, model: string) => Price | undefined;

/**
 * Finds the prices of models that a vendor used in place of the model of a target, or beside it: that of any target of
 * the configuration, or else the shipped one. The names come from vendors, so only known ones are kept.
 */
export function createFindPrice(
  models: Readonly<Record<string, ModelConfig>>,
  providers: ReadonlyMap<string, { readonly prices: readonly ShippedPrice[]; readonly priceFactor?: number }>,
  now: () => number,
): FindPrice {
  const known = new Map<string, readonly Price[]>();
  let targets: ReadonlyMap<string, readonly [TargetConfig, ModelConfig]> | undefined;
  return (name, model) => {
    const id = `${name}/${model}`;
    let prices = known.get(id);
    if (prices === undefined) {
      targets ??= indexTargets(models);
      const [target = { model }, config] = targets.get(id) ?? [];
      const provider = providers.get(name);
      prices = listTargetPrices({ target, model: config, provider, shipped: provider?.prices ?? [] });
      if (prices.length > 0) known.set(id, prices);
    }
    return priceAt(prices, now());
  };
}
