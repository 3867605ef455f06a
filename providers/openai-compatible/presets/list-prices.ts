import type { ShippedPrice, WrittenPrice } from '../../../core/api/index.ts';

/** USD per million tokens: input, output, and input read from the prompt cache if it has a price of its own. */
type Rates = readonly [input: number, output: number, cacheRead?: number];

const write = ([input, output, cacheRead]: Rates): WrittenPrice => ({
  input,
  output,
  ...(cacheRead === undefined ? {} : { cacheRead }),
});

/**
 * The prices of a page by model. They were read from tables that name the page; `seen` is the earliest date that these
 * tables can have (docs/reference/prices.md).
 */
export const listPrices = (
  page: string,
  models: Readonly<Record<string, Rates | WrittenPrice>>,
): readonly ShippedPrice[] =>
  Object.entries(models).map(([model, price]) => ({
    models: [model],
    page,
    seen: '2026-11-01',
    price: isRates(price) ? write(price) : price,
  }));

const isRates = (price: Rates | WrittenPrice): price is Rates => Array.isArray(price);
