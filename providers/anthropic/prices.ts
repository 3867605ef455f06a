import type { ShippedPrice, WrittenRates } from '../../core/api/index.ts';

const page = 'https://platform.claude.com/docs/en/about-claude/pricing';

/** A row of the vendor's price table, in the order of its columns. */
const rates = (
  input: number,
  cacheWrite5m: number,
  cacheWrite1h: number,
  cacheRead: number,
  output: number,
): WrittenRates => ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h });

/**
 * Prices of Claude models. `seen` is the day on which all figures of an entry were on the page
 * (docs/reference/prices.md). Prompts of up to 1M tokens cost the same, except for Haiku 5.5. Models that
 * the page lists as retired are left out.
 */
export const anthropicPrices: readonly ShippedPrice[] = [
  { models: ['claude-fable-5-1'], page, seen: '2026-10-08', price: rates(10, 12.5, 20, 0.25, 50) },
  { models: ['claude-mythos-5-1'], page, seen: '2026-09-07', price: rates(10, 12.5, 20, 0.25, 50) },
  { models: ['claude-fable-5'], page, seen: '2026-10-08', price: rates(10, 12.5, 20, 1, 50) },
  { models: ['claude-mythos-5'], page, seen: '2026-09-07', price: rates(10, 12.5, 20, 1, 50) },
  { models: ['claude-opus-5-5'], page, seen: '2026-10-08', price: rates(4, 5, 8, 0.2, 20) },
  { models: ['claude-opus-5'], page, seen: '2026-10-08', price: rates(5, 6.25, 10, 0.5, 25) },
  { models: ['claude-opus-4-8'], page, seen: '2026-09-14', price: rates(5, 6.25, 10, 0.5, 25) },
  { models: ['claude-opus-4-7'], page, seen: '2026-09-14', price: rates(5, 6.25, 10, 0.5, 25) },
  { models: ['claude-opus-4-6'], page, seen: '2026-10-08', price: rates(5, 6.25, 10, 0.5, 25) },
  {
    models: ['claude-opus-4-5', 'claude-opus-4-5-20251101'],
    page,
    seen: '2026-09-14',
    price: rates(5, 6.25, 10, 0.5, 25),
  },
  { models: ['claude-sonnet-5-5'], page, seen: '2026-10-08', price: rates(2, 2.5, 4, 0.1, 10) },
  { models: ['claude-sonnet-5'], page, seen: '2026-10-08', price: rates(2, 2.5, 4, 0.2, 10) },
  { models: ['claude-sonnet-4-6'], page, seen: '2026-10-08', price: rates(3, 3.75, 6, 0.3, 15) },
  {
    models: ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    page,
    seen: '2026-09-14',
    price: rates(3, 3.75, 6, 0.3, 15),
  },
  {
    models: ['claude-haiku-5-5'],
    page,
    seen: '2026-10-24',
    price: {
      ...rates(0.1, 0.125, 0.2, 0.01, 0.5),
      longContext: [{ above: 100_000, ...rates(0.5, 0.625, 1, 0.05, 2.5) }],
    },
  },
  {
    models: ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
    page,
    seen: '2026-10-08',
    price: rates(1, 1.25, 2, 0.1, 5),
  },
];
