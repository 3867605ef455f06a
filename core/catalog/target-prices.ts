import { multiplyPrice, resolvePrices } from '../config/resolve/resolve-price.ts';
import type { ModelConfig, ProviderConfig, TargetConfig } from '../config/gateway-config.ts';
import type { Price, ShippedPrice } from '../contracts/price.ts';
import type { Steps } from '../services/slices.ts';

/** By what a provider ships: the entry of each model. */
const shippedPrices = new WeakMap<readonly ShippedPrice[], ReadonlyMap<string, ShippedPrice>>();
const resolvedPrices = new WeakMap<ShippedPrice, readonly Price[]>();

const indexByModel = (prices: readonly ShippedPrice[]): ReadonlyMap<string, ShippedPrice> => {
  const known = shippedPrices.get(prices);
  if (known !== undefined) return known;
  const index = new Map<string, ShippedPrice>();
  for (const shipped of prices) for (const model of shipped.models) if (!index.has(model)) index.set(model, shipped);
  shippedPrices.set(prices, index);
  return index;
};

/** Finds the prices of the exact name. A model whose name only starts the same has another price, or none. */
export function findShippedPrices(prices: readonly ShippedPrice[], model: string): readonly Price[] | undefined {
  const shipped = indexByModel(prices).get(model);
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

/** Finds the price of a model of a provider, which may have no target. */
export type FindPrice = (provider: string, model: string) => Price | undefined;

/**
 * Finds the prices of models that a vendor used in place of the model of a target, or beside it: that of any target of
 * the configuration, or else the shipped one. The names come from vendors, so only known ones are kept.
 */
export function* createFindPrice(
  models: Readonly<Record<string, ModelConfig>>,
  providers: ReadonlyMap<string, { readonly prices: readonly ShippedPrice[]; readonly priceFactor?: number }>,
  now: () => number,
): Steps<FindPrice> {
  const known = new Map<string, readonly Price[]>();
  const list = (name: string, target: PriceParts['target'], model?: ModelConfig): readonly Price[] => {
    const provider = providers.get(name);
    return listTargetPrices({ target, model, provider, shipped: provider?.prices ?? [] });
  };
  for (const config of Object.values(models)) {
    for (const target of config.targets) {
      const id = `${target.provider}/${target.model}`;
      if (!known.has(id)) known.set(id, list(target.provider, target, config));
    }
    yield;
  }
  return (provider, model) => {
    const id = `${provider}/${model}`;
    const prices = known.get(id) ?? list(provider, { model });
    if (prices.length > 0) known.set(id, prices);
    return priceAt(prices, now());
  };
}
