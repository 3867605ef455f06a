import { inputTotal, readCount, type Usage } from '../canonical/usage.ts';
import type { Price, Rates } from '../contracts/price.ts';

/** Prices are per million tokens. */
const PER = 1_000_000n;

/** The rates of a call, by the tier that served it and the length of its prompt. */
export function selectRates(price: Price, usage: Usage): Rates {
  const card = (usage.tier === undefined ? undefined : price.tiers?.[usage.tier]) ?? price;
  const input = inputTotal(usage);
  return card.longContext?.findLast(({ above }) => input > above)?.rates ?? card;
}

/**
 * Prices tokens of which some kinds have their own rates. Each kind is subtracted from the rest, so no token is priced
 * twice.
 */
const priceParts = (
  all: number,
  rate: bigint,
  parts: readonly (readonly [count: number | undefined, rate: bigint | undefined])[],
): bigint => {
  let left = readCount(all);
  let sum = 0n;
  for (const [count, ownRate] of parts) {
    if (count === undefined || ownRate === undefined) continue;
    const part = Math.min(readCount(count), left);
    left -= part;
    sum += BigInt(part) * ownRate;
  }
  return sum + BigInt(left) * rate;
};

/**
 * * The cost of a usage in nano-dollars. Each token is priced once, and the sum is rounded once, half up. An invalid
 * count (NaN or negative, from a faulty codec) costs nothing, so that the settlement does not fail.
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
