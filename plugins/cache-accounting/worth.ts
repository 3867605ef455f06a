import { selectRates, type Charge, type Price, type Usage } from '../../core/index.ts';

/** Prices are per million tokens. */
const PER = 1_000_000n;

/** In nano-dollars; half a one away from zero. */
const round = (sum: bigint): bigint => (sum + (sum < 0n ? -PER : PER) / 2n) / PER;

/** Tokens that a cache gave or took. */
export const cachedTokens = ({ cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number =>
  cacheRead + cacheWrite5m + cacheWrite1h;

const savedBy = (price: Price, usage: Usage): bigint => {
  if (cachedTokens(usage) === 0) return 0n;
  const { input, cacheRead, cacheWrite5m, cacheWrite1h } = selectRates(price, usage);
  return (
    BigInt(usage.cacheRead) * (input - cacheRead) -
    BigInt(usage.cacheWrite5m) * (cacheWrite5m - input) -
    BigInt(usage.cacheWrite1h) * (cacheWrite1h - input)
  );
};

/** What the cache saved in a charge against plain input, less what writing it cost more: each call by the rates that it was priced with. */
export function savingsOf({ target: { price }, usage, calls }: Charge): bigint {
  if (price === undefined) return 0n;
  if (calls === undefined) return round(savedBy(price, usage));
  let saved = 0n;
  for (const call of calls) saved += savedBy(price, call);
  return round(saved);
}

/** What tokens cost more that were not read from a cache. */
export function lossOf(price: Price, usage: Usage, tokens: number): bigint {
  if (tokens === 0) return 0n;
  const { input, cacheRead } = selectRates(price, usage);
  return round(BigInt(tokens) * (input - cacheRead));
}
