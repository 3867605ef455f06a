import type { ShippedPrice, WrittenPrice, WrittenRates } from '../../core/api/index.ts';

const page = 'https://platform.claude.com/docs/en/about-claude/pricing';

/** A row of the vendor's price table, in the order of its columns. */
const rates = (
  input: number,
  cacheWrite5m: number,
  cacheWrite1h: number,
  cacheRead: number,
  output: number,
): WrittenRates => ({ input, output, cacheRead, cacheWrite5m, cacheWrite1h });

/** USD 10 per 1,000 web searches with every model. Web fetches are free. */
const searches = { units: { webSearches: 0.01 } };
/** From Opus 4.6 on, `inference_geo: us` costs 10 % more. */
const inRegions = { ...searches, regions: { us: 1.1 } };
/** Fast mode (`speed: fast`) costs twice as much. */
const fast = { tiers: { fast: 2 } };

const row = (price: WrittenPrice, ...models: readonly string[]): ShippedPrice => ({
  models,
  page,
  seen: '2026-11-01',
  price,
});

/**
 * Prices of Claude models. `seen` is the day on which all figures of an entry were on the page
 * (docs/reference/prices.md). Prompts of up to 1M tokens cost the same, except for Haiku 5.5. Models that
 * the page lists as retired are left out.
 */
export const anthropicPrices: readonly ShippedPrice[] = [
  row({ ...rates(8, 10, 16, 0.2, 40), ...inRegions, ...fast }, 'claude-fable-5-2'),
  row({ ...rates(8, 10, 16, 0.2, 40), ...inRegions, ...fast }, 'claude-mythos-5-2'),
  row({ ...rates(10, 12.5, 20, 0.25, 50), ...inRegions }, 'claude-fable-5-1'),
  row({ ...rates(10, 12.5, 20, 0.25, 50), ...inRegions }, 'claude-mythos-5-1'),
  row({ ...rates(10, 12.5, 20, 1, 50), ...inRegions }, 'claude-fable-5'),
  row({ ...rates(10, 12.5, 20, 1, 50), ...inRegions }, 'claude-mythos-5'),
  row({ ...rates(4, 5, 8, 0.2, 20), ...inRegions, ...fast }, 'claude-opus-5-5'),
  row({ ...rates(5, 6.25, 10, 0.5, 25), ...inRegions, ...fast }, 'claude-opus-5'),
  row({ ...rates(5, 6.25, 10, 0.5, 25), ...inRegions, ...fast }, 'claude-opus-4-8'),
  row({ ...rates(5, 6.25, 10, 0.5, 25), ...inRegions }, 'claude-opus-4-7'),
  row({ ...rates(5, 6.25, 10, 0.5, 25), ...inRegions }, 'claude-opus-4-6', 'claude-opus-4-6-20260205'),
  row({ ...rates(5, 6.25, 10, 0.5, 25), ...searches }, 'claude-opus-4-5', 'claude-opus-4-5-20251101'),
  row({ ...rates(2, 2.5, 4, 0.1, 10), ...inRegions }, 'claude-sonnet-5-5'),
  row({ ...rates(2, 2.5, 4, 0.2, 10), ...inRegions }, 'claude-sonnet-5'),
  row({ ...rates(3, 3.75, 6, 0.3, 15), ...inRegions }, 'claude-sonnet-4-6'),
  row({ ...rates(3, 3.75, 6, 0.3, 15), ...searches }, 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'),
  row(
    {
      ...rates(0.1, 0.125, 0.2, 0.01, 0.5),
      longContext: [{ above: 100_000, ...rates(0.5, 0.625, 1, 0.05, 2.5) }],
      ...inRegions,
    },
    'claude-haiku-5-5',
  ),
  row({ ...rates(1, 1.25, 2, 0.1, 5), ...searches }, 'claude-haiku-4-5', 'claude-haiku-4-5-20251001'),
];
