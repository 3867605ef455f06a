import { fast, pageOf, pricing, rates, type OnePrice } from './page.ts';

/** GPT-5 to 5.3: one rate for prompts of any length, and none for writing the cache. */
export const gpt5Prices: readonly OnePrice[] = [
  {
    models: ['gpt-5.3-codex'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(1.75, 0.175, 14), tiers: fast(rates(3.5, 0.35, 28)) },
  },
  {
    models: ['gpt-5.2', 'gpt-5.2-2025-12-11'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(1.75, 0.175, 14), tiers: { flex: rates(0.875, 0.0875, 7), ...fast(rates(3.5, 0.35, 28)) } },
  },
  { models: ['gpt-5.2-pro', 'gpt-5.2-pro-2025-12-11'], page: pricing, seen: '2026-09-07', price: rates(21, 21, 168) },
  { models: ['gpt-5.2-codex'], page: pageOf('gpt-5.2-codex'), seen: '2026-10-05', price: rates(1.75, 0.175, 14) },
  {
    models: ['gpt-5.1', 'gpt-5.1-2025-11-13'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(1.25, 0.125, 10), tiers: { flex: rates(0.625, 0.0625, 5), ...fast(rates(2.5, 0.25, 20)) } },
  },
  { models: ['gpt-5.1-codex'], page: pageOf('gpt-5.1-codex'), seen: '2026-10-05', price: rates(1.25, 0.125, 10) },
  {
    models: ['gpt-5.1-codex-max'],
    page: pageOf('gpt-5.1-codex-max'),
    seen: '2026-10-05',
    price: rates(1.25, 0.125, 10),
  },
  {
    models: ['gpt-5', 'gpt-5-2025-08-07'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(1.25, 0.125, 10), tiers: { flex: rates(0.625, 0.0625, 5), ...fast(rates(2.5, 0.25, 20)) } },
  },
  {
    models: ['gpt-5-mini', 'gpt-5-mini-2025-08-07'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(0.25, 0.025, 2), tiers: { flex: rates(0.125, 0.0125, 1), ...fast(rates(0.45, 0.045, 3.6)) } },
  },
  {
    models: ['gpt-5-nano', 'gpt-5-nano-2025-08-07'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(0.05, 0.005, 0.4), tiers: { flex: rates(0.025, 0.0025, 0.2) } },
  },
  { models: ['gpt-5-pro', 'gpt-5-pro-2025-10-06'], page: pricing, seen: '2026-09-07', price: rates(15, 15, 120) },
  { models: ['gpt-5-codex'], page: pageOf('gpt-5-codex'), seen: '2026-08-25', price: rates(1.25, 0.125, 10) },
  { models: ['gpt-5-search-api'], page: pricing, seen: '2026-09-03', price: rates(1.25, 0.125, 10) },
  ...['gpt-5.3-chat-latest', 'gpt-5.2-chat-latest'].map((model) => ({
    models: [model],
    page: pageOf(model),
    seen: '2026-10-23',
    price: rates(1.75, 0.175, 14),
  })),
  ...['gpt-5.1-chat-latest', 'gpt-5-chat-latest'].map((model) => ({
    models: [model],
    page: pageOf(model),
    seen: '2026-10-23',
    price: rates(1.25, 0.125, 10),
  })),
  { models: ['chat-latest'], page: pricing, seen: '2026-09-03', price: rates(5, 0.5, 30) },
];
