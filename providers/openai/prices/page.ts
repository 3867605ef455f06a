import type { ShippedPrice, WrittenPrice, WrittenRateCard, WrittenRates } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';

/** The vendor's price table. */
export const pricing = 'https://developers.openai.com/api/docs/pricing';
/** The page of one model, which has its price too. */
export const pageOf = (model: string): string => `https://developers.openai.com/api/docs/models/${model}`;

/**
 * A row of the table. A dash in it is `undefined` here: cached input then costs the same as input. From GPT-5.6 on,
 * cache writes cost more than input: those for 30 minutes 1.25 times, those for 12 hours 2.5 times as much.
 */
export const rates = (input: number, cacheRead: number, output: number, cacheWrite5m?: number): WrittenRates =>
  omitUndefined({
    input,
    output,
    cacheRead,
    cacheWrite5m,
    cacheWrite12h: cacheWrite5m === undefined ? undefined : cacheWrite5m * 2,
  });

/** The columns for long context: they apply to the whole request when its prompt has more than 272K input tokens. */
export const long = (...row: Parameters<typeof rates>): Pick<WrittenRateCard, 'longContext'> => ({
  longContext: [{ above: 272_000, ...rates(...row) }],
});

/** USD 10 per 1,000 calls of the web search tool, with every model that has it. */
export const searches = { units: { webSearches: 0.01 } };
/** An entry with one price, which no date changes. */
export type OnePrice = ShippedPrice & { readonly price: WrittenPrice };

/** Adds the price of searches to every entry. */
export const withSearches = (prices: readonly OnePrice[]): readonly ShippedPrice[] =>
  prices.map((shipped) => ({ ...shipped, price: { ...shipped.price, ...searches } }));

/** Fast mode, formerly priority: responses report either name. */
export const fast = (card: WrittenRateCard): Readonly<Record<'priority' | 'fast', WrittenRateCard>> => ({
  priority: card,
  fast: card,
});
