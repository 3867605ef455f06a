import { readCount, type Usage } from '../canonical/usage.ts';
import type { Price } from '../contracts/price.ts';

/** Prices are per million tokens. */
const PER = 1_000_000n;

/**
 * What a usage costs, in nano-dollars. Its kinds are disjoint, so each token is priced once (reasoning is part of `output`); the sum is rounded
 * once, half up. Counts that are no counts (a codec's NaN, a negative figure) cost nothing rather than break a settlement.
 */
export const priceUsage = (price: Price, usage: Usage): bigint => {
  const sum =
    BigInt(readCount(usage.inputUncached)) * price.input +
    BigInt(readCount(usage.cacheRead)) * price.cacheRead +
    BigInt(readCount(usage.cacheWrite5m)) * price.cacheWrite5m +
    BigInt(readCount(usage.cacheWrite1h)) * price.cacheWrite1h +
    BigInt(readCount(usage.output)) * price.output;
  return (sum + PER / 2n) / PER;
};
