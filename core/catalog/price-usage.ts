import { inputTotal, readCount, type Usage } from '../canonical/usage.ts';
import type { Price, Rates } from '../contracts/price.ts';

/** Prices are per million tokens. */
const PER = 1_000_000n;

/** The rates of a call: of the tier that served it, and of prompts as long as its own. */
export function selectRates(price: Price, usage: Usage): Rates {
  const card = (usage.tier === undefined ? undefined : price.tiers?.[usage.tier]) ?? price;
  const input = inputTotal(usage);
  return card.longContext?.findLast(({ above }) => input > above)?.rates ?? card;
}

/**
 * Tokens of which some kinds may have rates of their own: each part is taken out of what is left, so that no token is
 * priced twice.
 */
const priceParts = (
  all: number,
  rate: bigint,
  parts: readonly (readonly [count: number | undefined, rate: bigint | undefined])[],
): bigint => {
  let left = readCount(all);
  let sum = 0n;
  for (const [count, apart] of parts) {
    if (count === undefined || apart === undefined) continue;
    const part = Math.min(readCount(count), left);
    left -= part;
    sum += BigInt(part) * apart;
  }
  return sum + BigInt(left) * rate;
};

/**
 * What a usage costs, in nano-dollars. Its kinds are disjoint and the parts of a kind are taken out of it, so each
 * token is priced once; the sum is rounded once, half up. Counts that are no counts (a codec's NaN, a negative figure)
 * cost nothing rather than break a settlement.
 */
export function priceUsage(price: Price, usage: Usage): bigint {
  const rates = selectRates(price, usage);
  const sum =
    priceParts(usage.inputUncached, rates.input, [
      [usage.inputAudio, rates.inputAudio],
      [usage.inputImage, rates.inputImage],
    ]) +
    BigInt(readCount(usage.cacheRead)) * rates.cacheRead +
    BigInt(readCount(usage.cacheWrite5m)) * rates.cacheWrite5m +
    BigInt(readCount(usage.cacheWrite1h)) * rates.cacheWrite1h +
    priceParts(usage.output, rates.output, [
      [usage.reasoning, rates.reasoning],
      [usage.outputAudio, rates.outputAudio],
      [usage.outputImage, rates.outputImage],
    ]);
  return (sum + PER / 2n) / PER + (price.request ?? 0n);
}
