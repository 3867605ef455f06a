import { inputTotal, readCount, type Usage, type UsageUnit } from '../canonical/usage.ts';
import type { Target } from '../contracts/exchange.ts';
import type { HostedEstimate, Price, Rates } from '../contracts/price.ts';

/** Rates are per million tokens. */
const PER = 1_000_000n;
const THOUSAND = 1_000n;
const MILLION = 1_000_000n;
const TRILLION = 1_000_000_000_000n;

/** The factor 1, as in {@link selectFactor}. */
const ONE = TRILLION * TRILLION;
/** What the sum of tokens, rates and {@link selectFactor} is divided by. */
export const FACTORED_PER: bigint = PER * ONE;

/** The name comes from a vendor, so it may be that of an inherited member. */
const find = <Entry>(entries: Readonly<Record<string, Entry>>, name: string | undefined): Entry | undefined =>
  name !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;

/** The rates of a call, by its region, the tier that served it and the length of its prompt, before any factor. */
export function selectRates(price: Price, usage: Usage): Rates {
  const region = price.regions && find(price.regions, usage.region);
  const tiered = typeof region === 'object' ? region : price;
  const tier = tiered.tiers && find(tiered.tiers, usage.tier);
  const card = typeof tier === 'object' ? tier : tiered;
  if (card.longContext === undefined) return card;
  const input = inputTotal(usage);
  return card.longContext.findLast(({ above }) => input > above)?.rates ?? card;
}

/** What the rates of a call are multiplied by: by its region, its tier and the price as a whole, in 10⁻²⁴. */
export function selectFactor(price: Price, usage: Usage): bigint {
  const region = price.regions && find(price.regions, usage.region);
  const { tiers } = typeof region === 'object' ? region : price;
  const tier = tiers && find(tiers, usage.tier);
  return (
    (typeof region === 'bigint' ? region : MILLION) *
    (typeof tier === 'bigint' ? tier : MILLION) *
    (price.factor ?? TRILLION)
  );
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

/** In millionths of a nano-dollar, as the sum of tokens and rates. Seconds are exact to the millisecond. */
const priceUnits = (rates: NonNullable<Price['units']>, units: NonNullable<Usage['units']>): bigint => {
  let sum = 0n;
  for (const unit in rates) {
    const name = unit as UsageUnit;
    const thousandths = readCount(Math.round((units[name] ?? 0) * 1_000));
    sum += BigInt(thousandths) * (rates[name] ?? 0n) * THOUSAND;
  }
  return sum;
};

/**
 * The cost of a usage in nano-dollars, without its further calls. Each token and unit is priced once, and the sum is
 * rounded once, half up. An invalid count (NaN or negative, from a faulty codec) costs nothing, so that the settlement
 * does not fail.
 */
export function priceUsage(price: Price, usage: Usage): bigint {
  const rates = selectRates(price, usage);
  const tokens =
    priceParts(usage.inputUncached, rates.input, [
      [usage.inputAudio, rates.inputAudio],
      [usage.inputImage, rates.inputImage],
      [usage.inputVideo, rates.inputVideo],
    ]) +
    (usage.cacheReadAudio === undefined
      ? BigInt(readCount(usage.cacheRead)) * rates.cacheRead
      : priceParts(usage.cacheRead, rates.cacheRead, [[usage.cacheReadAudio, rates.cacheReadAudio]])) +
    BigInt(readCount(usage.cacheWrite5m)) * rates.cacheWrite5m +
    BigInt(readCount(usage.cacheWrite1h)) * rates.cacheWrite1h +
    (usage.cacheWrite12h === undefined
      ? 0n
      : BigInt(readCount(usage.cacheWrite12h)) * (rates.cacheWrite12h ?? rates.cacheWrite1h)) +
    priceParts(usage.output, rates.output, [
      [usage.reasoning, rates.reasoning],
      [usage.outputAudio, rates.outputAudio],
      [usage.outputImage, rates.outputImage],
    ]);
  const isPlain = price.factor === undefined && price.tiers === undefined && price.regions === undefined;
  const factor = isPlain ? ONE : selectFactor(price, usage);
  let fixed = (price.request ?? 0n) * PER;
  if (price.units !== undefined && usage.units !== undefined) fixed += priceUnits(price.units, usage.units);
  if (factor === ONE) return (tokens + fixed + PER / 2n) / PER;
  // Tiers and regions multiply the tokens only.
  const sum = tokens * factor + fixed * TRILLION * (price.factor ?? TRILLION);
  return (sum + FACTORED_PER / 2n) / FACTORED_PER;
}

/** `priceUsage` treats larger counts as invalid, and prices them at 0. */
const MAX_TOKENS = 100_000_000;
/** The same for units, which are counted in thousandths. */
const MAX_UNITS = 100_000;

type Units = Partial<Record<UsageUnit, number>>;

const priceTokens = (price: Price | undefined, input: number, output: number, images = 0, units?: Units): bigint =>
  price === undefined
    ? 0n
    : priceUsage(price, {
        inputUncached: Math.min(input, MAX_TOKENS),
        cacheRead: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output: Math.min(output, MAX_TOKENS),
        reasoning: 0,
        ...(images > 0 ? { outputImage: Math.min(images, MAX_TOKENS) } : {}),
        ...(units === undefined ? {} : { units }),
        source: 'estimated',
      });

/**
 * The estimated cost of an exchange at a target, in nano-dollars: its tokens, and its hosted tools, of which those of
 * other models have the prices of these. What has no price costs nothing.
 */
export function priceEstimate(
  { price, priceOf }: Pick<Target, 'price' | 'priceOf'>,
  input: number,
  output: number,
  tools?: readonly HostedEstimate[],
): bigint {
  if (tools === undefined) return priceTokens(price, input, output);
  let others = 0n;
  let results = 0;
  let units: Units | undefined;
  for (const { unit, uses, model, inputTokens, outputTokens, imageTokens } of tools) {
    if (model === undefined) results += inputTokens;
    else others += priceTokens(priceOf?.(model), inputTokens, outputTokens, imageTokens);
    if (unit !== undefined) units = { ...units, [unit]: Math.min((units?.[unit] ?? 0) + uses, MAX_UNITS) };
  }
  return others + priceTokens(price, input + results, output, 0, units);
}
