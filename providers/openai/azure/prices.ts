import type { ShippedPrice, WrittenRateCard, WrittenRates } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';

const filter =
  "serviceName%20eq%20'Foundry%20Models'%20and%20armRegionName%20eq%20'eastus'%20and%20priceType%20eq%20'Consumption'";
/** The vendor's public list, which its calculator reads. */
const retail = `https://prices.azure.com/api/retail/prices?$filter=${filter}`;
const pricing = 'https://azure.microsoft.com/en-us/pricing/details/azure-openai/';
const models = 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/models';
const launch =
  'https://azure.microsoft.com/en-us/blog/gpt-6-astra-sol-and-luna-for-production-agents-in-microsoft-foundry/';
const terra =
  'https://techcommunity.microsoft.com/blog/azure-ai-foundry-blog/' +
  'gpt-6-1-terra-now-generally-available-in-microsoft-foundry-build-agents-that-see/4567769';
/** Read from a table that names these pages: docs/reference/prices.md. */
const seen = '2026-11-01';

const rates = (input: number, cacheRead: number, output: number, cacheWrite5m?: number): WrittenRates =>
  omitUndefined({ input, output, cacheRead, cacheWrite5m });
/** For prompts with more than 272K input tokens. */
const long = (...row: Parameters<typeof rates>): Pick<WrittenRateCard, 'longContext'> => ({
  longContext: [{ above: 272_000, ...rates(...row) }],
});

/** Flex costs half as much. */
const half = { flex: 0.5 };
/** USD 14 per 1,000 searches. */
const searches = { units: { webSearches: 0.014 } };

/**
 * Prices of global deployments, per million tokens. Those of data zones and regions cost 1.1 to 1.2 times as much:
 * `priceFactor`, see README.md.
 */
export const azurePrices: readonly ShippedPrice[] = [
  { models: ['codex-mini'], page: retail, seen, price: rates(1.5, 0.375, 6) },
  { models: ['gpt-4-turbo', 'gpt-4-turbo-2024-04-09'], page: pricing, seen, price: rates(11, 11, 33) },
  {
    models: ['gpt-4.1', 'gpt-4.1-2025-04-14'],
    page: retail,
    seen,
    price: { ...searches, ...rates(2, 0.5, 8), tiers: { priority: rates(3.5, 0.875, 14) } },
  },
  {
    models: ['gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'],
    page: retail,
    seen,
    price: { ...searches, ...rates(0.4, 0.1, 1.6), tiers: { priority: rates(0.7, 0.175, 2.8) } },
  },
  { models: ['gpt-4.1-nano', 'gpt-4.1-nano-2025-04-14'], page: retail, seen, price: rates(0.1, 0.025, 0.4) },
  { models: ['gpt-4o'], page: pricing, seen, price: rates(2.5, 1.25, 10) },
  { models: ['gpt-4o-2024-05-13'], page: retail, seen, price: rates(5, 5, 15) },
  { models: ['gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'], page: retail, seen, price: rates(2.5, 1.25, 10) },
  { models: ['gpt-4o-mini'], page: pricing, seen, price: { ...searches, ...rates(0.15, 0.075, 0.6) } },
  { models: ['gpt-4o-mini-2024-07-18'], page: retail, seen, price: { ...searches, ...rates(0.15, 0.075, 0.6) } },
  {
    models: ['gpt-5.1-2025-11-13', 'gpt-5', 'gpt-5-2025-08-07', 'gpt-5.1'],
    page: retail,
    seen,
    price: { ...searches, ...rates(1.25, 0.125, 10), tiers: { priority: rates(2.5, 0.25, 20) } },
  },
  {
    models: ['gpt-5.1-codex-2025-11-13'],
    page: retail,
    seen,
    price: { ...rates(1.25, 0.125, 10), tiers: { priority: rates(2.5, 0.25, 20) } },
  },
  {
    models: ['gpt-5.1-codex-mini-2025-11-13'],
    page: retail,
    seen,
    price: { ...rates(0.25, 0.025, 2), tiers: { priority: rates(0.45, 0.045, 3.6) } },
  },
  {
    models: ['gpt-5-codex', 'gpt-5-chat', 'gpt-5.1-chat', 'gpt-5.1-codex', 'gpt-5.1-codex-max'],
    page: retail,
    seen,
    price: rates(1.25, 0.125, 10),
  },
  {
    models: ['gpt-5-mini', 'gpt-5-mini-2025-08-07'],
    page: retail,
    seen,
    price: { ...searches, ...rates(0.25, 0.025, 2), tiers: { priority: rates(0.45, 0.045, 3.6) } },
  },
  {
    models: ['gpt-5-nano', 'gpt-5-nano-2025-08-07'],
    page: retail,
    seen,
    price: { ...searches, ...rates(0.05, 0.005, 0.4) },
  },
  { models: ['gpt-5-pro'], page: retail, seen, price: { ...searches, ...rates(15, 15, 120) } },
  { models: ['gpt-5.2-chat', 'gpt-5.3-chat', 'gpt-5.2-codex'], page: retail, seen, price: rates(1.75, 0.175, 14) },
  { models: ['gpt-5.1-codex-mini'], page: retail, seen, price: rates(0.25, 0.025, 2) },
  {
    models: ['gpt-5.2', 'gpt-5.2-2025-12-11', 'gpt-5.3-codex'],
    page: retail,
    seen,
    price: { ...searches, ...rates(1.75, 0.175, 14), tiers: { priority: rates(3.5, 0.35, 28) } },
  },
  {
    models: ['gpt-5.2-pro', 'gpt-5.2-pro-2025-12-11'],
    page: retail,
    seen,
    price: { ...searches, ...rates(21, 21, 168) },
  },
  {
    models: ['gpt-5.4', 'gpt-5.4-2026-03-05'],
    page: retail,
    seen,
    price: {
      ...rates(2.5, 0.25, 15),
      ...long(5, 0.5, 22.5),
      tiers: {
        flex: { ...rates(1.25, 0.13, 7.5), ...long(2.5, 0.25, 11.25) },
        priority: { ...rates(5, 0.5, 30), ...long(10, 1, 45) },
      },
    },
  },
  {
    models: ['gpt-5.4-pro', 'gpt-5.4-pro-2026-03-05'],
    page: retail,
    seen,
    price: {
      ...searches,
      ...rates(30, 3, 180),
      ...long(60, 6, 270),
      tiers: { flex: { ...rates(15, 15, 90), ...long(30, 30, 135) } },
    },
  },
  {
    models: ['gpt-5.6-sol', 'gpt-5.6-sol-2026-07-09'],
    page: retail,
    seen,
    price: {
      ...searches,
      ...rates(4, 0.4, 20, 5),
      ...long(8, 0.8, 30, 10),
      tiers: {
        flex: { ...rates(2, 0.2, 10, 2.5), ...long(4, 0.4, 15, 5) },
        priority: { ...rates(8, 0.8, 40, 10), ...long(16, 1.6, 60, 20) },
      },
    },
  },
  {
    models: ['gpt-5.6-terra', 'gpt-5.6-terra-2026-07-09'],
    page: retail,
    seen,
    price: {
      ...searches,
      ...rates(2, 0.2, 12, 2.5),
      ...long(4, 0.4, 18, 5),
      tiers: {
        flex: { ...rates(1, 0.1, 6, 1.25), ...long(2, 0.2, 9, 2.5) },
        priority: { ...rates(4, 0.4, 24, 5), ...long(8, 0.8, 36, 10) },
      },
    },
  },
  {
    models: ['gpt-5.6-luna', 'gpt-5.6-luna-2026-07-09'],
    page: retail,
    seen,
    price: {
      ...searches,
      ...rates(0.2, 0.02, 1.2, 0.25),
      ...long(0.4, 0.04, 1.8, 0.5),
      tiers: {
        flex: { ...rates(0.1, 0.01, 0.6, 0.125), ...long(0.2, 0.02, 0.9, 0.25) },
        priority: { ...rates(0.4, 0.04, 2.4, 0.5), ...long(0.8, 0.08, 3.6, 1) },
      },
    },
  },
  {
    models: ['gpt-6-astra', 'gpt-6-astra-2026-09-03'],
    page: pricing,
    seen,
    price: { ...searches, ...rates(10, 1, 50, 12.5), ...long(20, 2, 75, 25), tiers: half },
  },
  {
    models: ['gpt-6-luna', 'gpt-6-luna-2026-09-22'],
    page: launch,
    seen,
    price: { ...searches, ...rates(0.1, 0.01, 0.5, 0.125), ...long(0.2, 0.02, 0.75, 0.25), tiers: half },
  },
  {
    models: ['gpt-6-sol', 'gpt-6-sol-2026-09-22'],
    page: launch,
    seen,
    price: {
      ...searches,
      ...rates(2, 0.2, 10, 2.5),
      ...long(4, 0.4, 15, 5),
      tiers: { ...half, priority: { ...rates(4, 0.4, 20, 5), ...long(8, 0.8, 30, 10) } },
    },
  },
  {
    models: ['gpt-6.1-terra'],
    page: terra,
    seen,
    price: { ...searches, ...rates(1, 0.05, 5, 1.25), ...long(2, 0.1, 7.5, 2.5) },
  },
  {
    models: ['gpt-6.1-sol', 'gpt-6.1-sol-2026-09-29'],
    page: models,
    seen,
    price: { ...searches, ...rates(2, 0.1, 10, 2.5), ...long(4, 0.2, 15, 5), tiers: half },
  },
  { models: ['gpt-chat-latest', 'chat-latest'], page: pricing, seen, price: rates(5, 0.5, 30) },
  {
    models: ['gpt-5.5', 'gpt-5.5-2026-04-23', 'gpt-5.5-2026-04-24'],
    page: retail,
    seen,
    price: {
      ...searches,
      ...rates(5, 0.5, 30),
      ...long(10, 1, 45),
      tiers: { priority: { ...rates(12.5, 1.25, 75), ...long(20, 2, 90) } },
    },
  },
  {
    models: ['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17'],
    page: retail,
    seen,
    price: {
      ...searches,
      ...rates(0.75, 0.075, 4.5),
      tiers: { flex: rates(0.375, 0.0375, 2.25), priority: rates(1.5, 0.15, 9) },
    },
  },
  {
    models: ['gpt-5.4-nano', 'gpt-5.4-nano-2026-03-17'],
    page: retail,
    seen,
    price: { ...searches, ...rates(0.2, 0.02, 1.25), tiers: { flex: rates(0.1, 0.01, 0.625) } },
  },
  { models: ['o1-2024-12-17'], page: retail, seen, price: rates(15, 7.5, 60) },
  { models: ['o1-mini', 'o1-mini-2024-09-12', 'o3-mini-2025-01-31'], page: retail, seen, price: rates(1.1, 0.55, 4.4) },
  { models: ['o3'], page: pricing, seen, price: { ...searches, ...rates(2, 0.5, 8) } },
  { models: ['o3-2025-04-16'], page: retail, seen, price: { ...searches, ...rates(2, 0.5, 8) } },
  { models: ['o3-deep-research'], page: retail, seen, price: { ...searches, ...rates(10, 2.5, 40) } },
  { models: ['o3-mini'], page: pricing, seen, price: rates(1.1, 0.55, 4.4) },
  { models: ['o3-pro', 'o3-pro-2025-06-10'], page: retail, seen, price: { ...searches, ...rates(20, 20, 80) } },
  { models: ['o4-mini'], page: pricing, seen, price: { ...searches, ...rates(1.1, 0.275, 4.4) } },
  { models: ['o4-mini-2025-04-16'], page: retail, seen, price: { ...searches, ...rates(1.1, 0.275, 4.4) } },
  { models: ['text-embedding-3-large'], page: pricing, seen, price: { input: 0.143, output: 0 } },
  { models: ['text-embedding-3-small'], page: pricing, seen, price: { input: 0.022, output: 0 } },
  { models: ['text-embedding-ada-002'], page: pricing, seen, price: { input: 0.11, output: 0 } },
];
