import type { ShippedPrice, WrittenPrice } from '../../core/api/index.ts';

const row = (price: WrittenPrice | readonly WrittenPrice[], ...models: readonly string[]): ShippedPrice => ({
  models,
  price,
  page: 'https://mistral.ai/pricing/api',
  seen: '2026-11-01',
});
/** Cached input costs a tenth. */
const cached = (input: number, output: number, cacheRead: number): WrittenPrice => ({ input, output, cacheRead });

/**
 * Models of today, by their dated names and the aliases that lead to them. Aliases move: these are the prices of the
 * models that they named on that day. Voxtral is left out, whose audio is billed by the minute.
 */
export const mistralPrices: readonly ShippedPrice[] = [
  row(cached(0.5, 1.5, 0.05), 'mistral-large-2512', 'mistral-large-latest'),
  row(cached(1.5, 7.5, 0.15), 'mistral-medium-3-5', 'mistral-medium-2604', 'mistral-medium-latest'),
  row(cached(0.15, 0.6, 0.015), 'mistral-small-2603', 'mistral-small-latest'),
  row(cached(0.2, 0.2, 0.02), 'ministral-14b-2512', 'ministral-14b-latest'),
  row(cached(0.15, 0.15, 0.015), 'ministral-8b-2512', 'ministral-8b-latest'),
  row(cached(0.1, 0.1, 0.01), 'ministral-3b-2512', 'ministral-3b-latest'),
  row(cached(0.3, 0.9, 0.03), 'codestral-2508', 'codestral-latest'),
  row(cached(0.4, 2, 0.04), 'devstral-2512', 'devstral-latest', 'devstral-medium-latest'),
  row(cached(0.1, 0.3, 0.01), 'devstral-small-latest'),
  row({ input: 0.1, output: 0 }, 'mistral-embed', 'mistral-embed-2312'),
  row({ input: 0.15, output: 0 }, 'codestral-embed', 'codestral-embed-2505'),
];
