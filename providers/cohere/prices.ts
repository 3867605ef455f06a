import type { ShippedPrice } from '../../core/api/index.ts';

const row = (input: number, output: number, ...models: readonly string[]): ShippedPrice => ({
  models,
  price: { input, output },
  page: 'https://cohere.com/pricing',
  seen: '2026-11-01',
});

/**
 * Rates for `billed_units`. The page has no price for models that are sold by the hour or after a talk (Command A
 * Reasoning, Vision, Translate and A+).
 */
export const coherePrices: readonly ShippedPrice[] = [
  row(2.5, 10, 'command-a-03-2025'),
  row(2.5, 10, 'command-r-plus-08-2024'),
  row(0.15, 0.6, 'command-r-08-2024'),
  row(0.0375, 0.15, 'command-r7b-12-2024'),
  row(0.5, 1.5, 'c4ai-aya-expanse-32b'),
  row(0.12, 0, 'embed-v4.0'),
  row(0.08, 0, 'embed-v5.0-fast'),
];
