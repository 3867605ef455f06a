import type { ShippedPrice } from '../../core/api/index.ts';
import { earlierPrices } from './prices/earlier.ts';
import { gpt5Prices } from './prices/gpt-5.ts';
import { gpt6Prices } from './prices/gpt-6.ts';
import { withSearches } from './prices/page.ts';
import { specialPrices } from './prices/special.ts';

/**
 * Prices of OpenAI's models: https://developers.openai.com/api/docs/pricing. `seen` is the day on which all figures of
 * an entry were on that page, or the first day on which they can have been: docs/reference/prices.md.
 */
export const openAiPrices: readonly ShippedPrice[] = [
  ...withSearches([...gpt6Prices, ...gpt5Prices, ...specialPrices]),
  ...earlierPrices,
];
