import {
  inputTotal,
  noTokens,
  readCount,
  usageUnits,
  type ImageKind,
  type Usage,
  type UsageUnit,
} from '../canonical/usage.ts';
import { priceImage, priceImageAtMost } from './price-images.ts';
import type { Target } from '../contracts/target.ts';
import type { HostedEstimate, Price, Rates, UnitPrices } from '../contracts/price.ts';

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

/** Tokens at their rate. Most counts of a usage are 0, and multiplying them would make a bigint each. */
const priceCount = (count: number | undefined, rate: bigint): bigint => {
  const tokens = readCount(count);
  return tokens === 0 ? 0n : BigInt(tokens) * rate;
};

/** A kind of tokens within a total, and its own rate. */
type PartOfTotal = readonly [count: number | undefined, rate: bigint | undefined];

/**
 * Prices tokens of which some kinds have their own rates. Each kind is subtracted from the rest, so no token is priced
 * twice.
 */
const priceParts = (all: number, rate: bigint, parts: readonly PartOfTotal[]): bigint => {
  let left = readCount(all);
  let sum = 0n;
  for (const [count, ownRate] of parts) {
    if (count === undefined || ownRate === undefined) continue;
    const part = Math.min(readCount(count), left);
    left -= part;
    sum += priceCount(part, ownRate);
  }
  return sum + priceCount(left, rate);
};

const priceInput = (rates: Rates, { inputUncached, inputAudio, inputImage, inputVideo }: Usage): bigint =>
  inputAudio === undefined && inputImage === undefined && inputVideo === undefined
    ? priceCount(inputUncached, rates.input)
    : priceParts(inputUncached, rates.input, [
        [inputAudio, rates.inputAudio],
        [inputImage, rates.inputImage],
        [inputVideo, rates.inputVideo],
      ]);

const priceCacheRead = (rates: Rates, { cacheRead, cacheReadAudio, cacheReadImage }: Usage): bigint =>
  cacheReadAudio === undefined && cacheReadImage === undefined
    ? priceCount(cacheRead, rates.cacheRead)
    : priceParts(cacheRead, rates.cacheRead, [
        [cacheReadAudio, rates.cacheReadAudio],
        [cacheReadImage, rates.cacheReadImage],
      ]);

const priceOutput = (rates: Rates, { output, reasoning, outputAudio, outputImage }: Usage): bigint =>
  rates.reasoning === undefined && outputAudio === undefined && outputImage === undefined
    ? priceCount(output, rates.output)
    : priceParts(output, rates.output, [
        [reasoning, rates.reasoning],
        [outputAudio, rates.outputAudio],
        [outputImage, rates.outputImage],
      ]);

/** In millionths of a nano-dollar, as the sum of tokens and rates. Seconds are exact to the millisecond. */
const priceUnits = (rates: UnitPrices<bigint>, { units = {}, image }: Usage): bigint => {
  let sum = 0n;
  for (const unit in rates) {
    const name = unit as UsageUnit;
    const uses = units[name] ?? 0;
    const thousandths = readCount(uses) * 1_000 + readCount(Math.round((uses % 1) * 1_000));
    const rate = name === 'images' ? priceImage(rates.images, image) : rates[name];
    sum += BigInt(thousandths) * (rate ?? 0n) * THOUSAND;
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
    priceInput(rates, usage) +
    priceCacheRead(rates, usage) +
    priceCount(usage.cacheWrite5m, rates.cacheWrite5m) +
    priceCount(usage.cacheWrite1h, rates.cacheWrite1h) +
    priceCount(usage.cacheWrite12h, rates.cacheWrite12h ?? rates.cacheWrite1h) +
    priceOutput(rates, usage);
  const isPlain = price.factor === undefined && price.tiers === undefined && price.regions === undefined;
  const factor = isPlain ? ONE : selectFactor(price, usage);
  let fixed = price.request === undefined ? 0n : price.request * PER;
  if (price.units !== undefined && usage.units !== undefined) fixed += priceUnits(price.units, usage);
  if (factor === ONE) return (tokens + fixed + PER / 2n) / PER;
  // Tiers and regions multiply the tokens only.
  const sum = tokens * factor + fixed * TRILLION * (price.factor ?? TRILLION);
  return (sum + FACTORED_PER / 2n) / FACTORED_PER;
}

/** `priceUsage` treats larger counts as invalid, and prices them at 0. */
const MAX_TOKENS = 100_000_000;

type Units = Partial<Record<UsageUnit, number>>;

/** Whether tokens cost anything. */
export const hasTokenRates = ({ input, output, outputImage = 0n, outputAudio = 0n }: Price): boolean =>
  input + output + outputImage + outputAudio > 0n;

/** Whether a price of images has figures for some of them only, and none for this one. */
const isUnlisted = ({ units }: Price, image: ImageKind | undefined): boolean =>
  typeof units?.images === 'object' && priceImage(units.images, image) === undefined;

/**
 * The unit in which a call was billed as a whole, and for which a price has no figure: what the call cost is unknown.
 * Undefined where the call has tokens, or the price the figure. An image whose size or quality the price does not list
 * has no figure, whatever the tokens beside it.
 */
export function findUnpriced(price: Price, usage: Usage): UsageUnit | undefined {
  if (usage.units === undefined) return undefined;
  if ((usage.units.images ?? 0) > 0 && isUnlisted(price, usage.image)) return 'images';
  if (inputTotal(usage) + usage.output > 0) return undefined;
  return usageUnits.find((unit) => (usage.units?.[unit] ?? 0) > 0 && price.units?.[unit] === undefined);
}

const priceTokens = (price: Price | undefined, input: number, output: number, images = 0, units?: Units): bigint =>
  price === undefined
    ? 0n
    : priceUsage(price, {
        ...noTokens,
        inputUncached: Math.min(input, MAX_TOKENS),
        output: Math.min(output, MAX_TOKENS),
        ...(images > 0 ? { outputImage: Math.min(images, MAX_TOKENS) } : {}),
        ...(units === undefined ? {} : { units }),
        source: 'estimated',
      });

/** A price with one figure for images: the most that those of the request can cost. */
const withMostOfImages = (price: Price, tools: readonly HostedEstimate[]): Price => {
  if (typeof price.units?.images !== 'object') return price;
  const kind = tools.find(({ unit }) => unit === 'images')?.image;
  return { ...price, units: { ...price.units, images: priceImageAtMost(price.units.images, kind) ?? 0n } };
};

/**
 * The estimated cost of an exchange at a target, in nano-dollars: its tokens, and its hosted tools, of which those of
 * other models have the prices of these. An image whose size or quality the request leaves out costs the most that it
 * can. What has no price costs nothing.
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
  let images = 0;
  let units: Units | undefined;
  for (const { unit, uses, model, inputTokens, outputTokens, imageTokens } of tools) {
    if (model === undefined) {
      results += inputTokens;
      images += imageTokens;
    } else others += priceTokens(priceOf?.(model), inputTokens, outputTokens, imageTokens);
    if (unit !== undefined) units = { ...units, [unit]: Math.min((units?.[unit] ?? 0) + uses, MAX_TOKENS) };
  }
  return (
    others +
    priceTokens(price && withMostOfImages(price, tools), input + results, output, Math.min(images, output), units)
  );
}
