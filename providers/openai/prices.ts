import type { ShippedPrice } from '../../core/index.ts';
import { earlierPrices } from './prices/earlier.ts';
import { gpt5Prices } from './prices/gpt-5.ts';
import { gpt6Prices } from './prices/gpt-6.ts';

/**
 * What OpenAI's models cost, by https://developers.openai.com/api/docs/pricing. `seen` is the day on which all figures of an entry stood there,
 * or the first on which they can have: docs/prices.md.
 */
export const openAiPrices: readonly ShippedPrice[] = [...gpt6Prices, ...gpt5Prices, ...earlierPrices];
