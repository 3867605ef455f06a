import type { ShippedPrice } from '../../contracts/price.ts';

/** By what a provider ships: the entry of each model. */
const indexes = new WeakMap<readonly ShippedPrice[], ReadonlyMap<string, ShippedPrice>>();

const indexByModel = (prices: readonly ShippedPrice[]): ReadonlyMap<string, ShippedPrice> => {
  const known = indexes.get(prices);
  if (known !== undefined) return known;
  const index = new Map<string, ShippedPrice>();
  for (const shipped of prices) for (const model of shipped.models) if (!index.has(model)) index.set(model, shipped);
  indexes.set(prices, index);
  return index;
};

/** The entry of the exact name. A model whose name only starts the same has another price, or none. */
export const findShippedPrice = (prices: readonly ShippedPrice[], model: string): ShippedPrice | undefined =>
  indexByModel(prices).get(model);
