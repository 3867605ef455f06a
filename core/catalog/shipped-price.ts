import { resolvePrice } from '../config/resolve/resolve-price.ts';
import type { Price, ShippedPrice } from '../contracts/price.ts';

/** Finds a price by the exact name. A model whose name only starts the same has another price, or none. */
export function findShippedPrice(prices: readonly ShippedPrice[], model: string): Price | undefined {
  const shipped = prices.find(({ models }) => models.includes(model));
  return shipped === undefined ? undefined : resolvePrice(shipped.price, { page: shipped.page, seen: shipped.seen });
}
