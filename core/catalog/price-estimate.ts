import type { UsageUnit } from '../canonical/usage.ts';
import type { Target } from '../contracts/exchange.ts';
import type { HostedEstimate, Price } from '../contracts/price.ts';
import { priceUsage } from './price-usage.ts';

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
