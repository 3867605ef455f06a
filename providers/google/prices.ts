import type { ShippedPrice, WrittenRates } from '../../core/api/index.ts';

const page = 'https://ai.google.dev/gemini-api/docs/pricing';

const rates = (input: number, cacheRead: number, output: number): WrittenRates => ({ input, output, cacheRead });
/** Prompts above 200k tokens. */
const long = (...row: Parameters<typeof rates>) => ({ longContext: [{ above: 200_000, ...rates(...row) }] });

/** Through December 31, 2026. The price doubles on January 1, 2027. */
const introduction = { ...rates(0.75, 0.075, 3.75), tiers: { flex: rates(0.375, 0.0375, 1.875) } };

/**
 * Prices of Gemini models on the paid tier. `seen` is the day on which all figures of an entry were on the page:
 * docs/reference/prices.md. Thoughts cost as much as output; keeping an explicit cache is billed by the hour on top.
 */
export const googlePrices: readonly ShippedPrice[] = [
  { models: ['gemini-3.8-flash'], page, seen: '2026-09-21', price: introduction },
  { models: ['gemini-3.7-flash'], page, seen: '2026-09-21', price: introduction },
  { models: ['gemini-3.6-flash'], page, seen: '2026-09-01', price: rates(0.75, 0.075, 3.75) },
  { models: ['gemini-3.5-flash'], page, seen: '2026-09-14', price: rates(1.5, 0.15, 9) },
  { models: ['gemini-3.5-flash-lite'], page, seen: '2026-09-14', price: rates(0.3, 0.03, 2.5) },
  {
    models: ['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools'],
    page,
    seen: '2026-09-03',
    price: { ...rates(2, 0.2, 12), ...long(4, 0.4, 18) },
  },
  {
    models: ['gemini-3.1-flash-lite'],
    page,
    seen: '2026-07-04',
    price: { ...rates(0.25, 0.025, 1.5), inputAudio: 0.5 },
  },
  { models: ['gemini-3-flash-preview'], page, seen: '2026-07-04', price: { ...rates(0.5, 0.05, 3), inputAudio: 1 } },
  {
    models: ['gemini-2.5-pro'],
    page,
    seen: '2026-09-25',
    price: { ...rates(1.25, 0.125, 10), ...long(2.5, 0.25, 15) },
  },
  { models: ['gemini-2.5-flash'], page, seen: '2026-10-01', price: { ...rates(0.3, 0.03, 2.5), inputAudio: 1 } },
  { models: ['gemini-2.5-flash-lite'], page, seen: '2026-07-04', price: { ...rates(0.1, 0.01, 0.4), inputAudio: 0.3 } },

  { models: ['gemini-3-pro-image'], page, seen: '2026-09-22', price: { input: 2, output: 12, outputImage: 120 } },
  { models: ['gemini-3.1-flash-image'], page, seen: '2026-09-22', price: { input: 0.5, output: 3, outputImage: 60 } },
  {
    models: ['gemini-3.1-flash-lite-image'],
    page,
    seen: '2026-09-22',
    price: { input: 0.25, output: 1.5, outputImage: 30 },
  },

  { models: ['gemini-embedding-2'], page, seen: '2026-10-07', price: { input: 0.2, output: 0 } },
  { models: ['gemini-embedding-001'], page, seen: '2026-09-01', price: { input: 0.15, output: 0 } },
];
