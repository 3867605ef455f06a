import { resolvePrice } from '../config/resolve/resolve-price.ts';
import type { Price, ShippedPrice } from '../contracts/price.ts';

/** By the exact name: a model whose name only begins alike has a price of its own, or none that is known. */
export function findShippedPrice(prices: readonly ShippedPrice[], model: string): Price | undefined {
  const shipped = prices.find(({ models }) => models.includes(model));
  return shipped === undefined ? undefined : resolvePrice(shipped.price, { page: shipped.page, seen: shipped.seen });
}
