import { cacheWriteTotal, type Charge, type Price, type Usage } from '../../core/api/index.ts';
import { FACTORED_PER, selectFactor, selectRates } from '../../core/api/internal.ts';

/** Nano-dollars, rounded half away from zero. */
const round = (sum: bigint): bigint => (sum + (sum < 0n ? -FACTORED_PER : FACTORED_PER) / 2n) / FACTORED_PER;

/** Tokens that were read from or written to the cache. */
export const cachedTokens = (usage: Usage): number => usage.cacheRead + cacheWriteTotal(usage);

const savedBy = (price: Price, usage: Usage): bigint => {
  if (cachedTokens(usage) === 0) return 0n;
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, cacheWrite12h = cacheWrite1h } = selectRates(price, usage);
  const saved =
    BigInt(usage.cacheRead) * (input - cacheRead) -
    BigInt(usage.cacheWrite5m) * (cacheWrite5m - input) -
    BigInt(usage.cacheWrite1h) * (cacheWrite1h - input) -
    BigInt(usage.cacheWrite12h ?? 0) * (cacheWrite12h - input);
  return saved * selectFactor(price, usage);
};

/**
 * What the cache saved in a charge compared with plain input, less the surcharge for writes. Each call is calculated at
 * the rates that it was priced with.
 */
export function savingsOf({ price, usage, calls }: Charge): bigint {
  if (price === undefined) return 0n;
  if (calls === undefined) return round(savedBy(price, usage));
  let saved = 0n;
  for (const call of calls) saved += savedBy(price, call);
  return round(saved);
}

/** The additional cost of tokens that were not read from a cache. */
export function lossOf(price: Price, usage: Usage, tokens: number): bigint {
  if (tokens === 0) return 0n;
  const { input, cacheRead } = selectRates(price, usage);
  return round(BigInt(tokens) * (input - cacheRead) * selectFactor(price, usage));
}
