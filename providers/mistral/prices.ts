import type { ShippedPrice, WrittenPrice } from '../../core/api/index.ts';

const row = (price: WrittenPrice | readonly WrittenPrice[], ...models: readonly string[]): ShippedPrice => ({
  models,
  price,
  page: 'https://mistral.ai/pricing/api',
  seen: '2026-11-01',
});
/** Cached input costs a tenth. */
const cached = (input: number, output: number, cacheRead: number): WrittenPrice => ({ input, output, cacheRead });

/** Models of today, by their dated names and the aliases that lead to them. */
export const mistralPrices: readonly ShippedPrice[] = [
  row(cached(0.5, 1.5, 0.05), 'mistral-large-2512'),
  row(cached(1.5, 7.5, 0.15), 'mistral-medium-3-5', 'mistral-medium-latest'),
  row(cached(0.15, 0.6, 0.015), 'mistral-small-2603', 'mistral-small-latest'),
  row(cached(0.2, 0.2, 0.02), 'ministral-14b-2512'),
  row(cached(0.15, 0.15, 0.015), 'ministral-8b-2512', 'ministral-8b-latest'),
  row(cached(0.1, 0.1, 0.01), 'ministral-3b-2512'),
  row(cached(0.3, 0.9, 0.03), 'codestral-2508'),
  row({ input: 0.1, output: 0 }, 'mistral-embed'),
];
