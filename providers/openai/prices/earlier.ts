import type { ShippedPrice } from '../../../core/api/index.ts';
import { fast, pricing, rates, searches } from './page.ts';

/** Models before GPT-5, and models for audio and embeddings. */
export const earlierPrices: readonly ShippedPrice[] = [
  {
    models: ['gpt-4.1', 'gpt-4.1-2025-04-14'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...searches, ...rates(2, 0.5, 8), tiers: fast(rates(3.5, 0.875, 14)) },
  },
  {
    models: ['gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...searches, ...rates(0.4, 0.1, 1.6), tiers: fast(rates(0.7, 0.175, 2.8)) },
  },
  {
    models: ['gpt-4.1-nano', 'gpt-4.1-nano-2025-04-14'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(0.1, 0.025, 0.4), tiers: fast(rates(0.2, 0.05, 0.8)) },
  },
  {
    models: ['gpt-4o', 'gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...searches, ...rates(2.5, 1.25, 10), tiers: fast(rates(4.25, 2.125, 17)) },
  },
  {
    models: ['gpt-4o-2024-05-13'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(5, 5, 15), tiers: fast(rates(8.75, 8.75, 26.25)) },
  },
  {
    models: ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...searches, ...rates(0.15, 0.075, 0.6), tiers: fast(rates(0.25, 0.125, 1)) },
  },
  {
    models: ['o4-mini', 'o4-mini-2025-04-16'],
    page: pricing,
    seen: '2026-09-03',
    price: {
      ...searches,
      ...rates(1.1, 0.275, 4.4),
      tiers: { flex: rates(0.55, 0.138, 2.2), ...fast(rates(2, 0.5, 8)) },
    },
  },
  {
    models: ['o3', 'o3-2025-04-16'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...searches, ...rates(2, 0.5, 8), tiers: { flex: rates(1, 0.25, 4), ...fast(rates(3.5, 0.875, 14)) } },
  },
  {
    models: ['o3-pro', 'o3-pro-2025-06-10'],
    page: pricing,
    seen: '2026-09-07',
    price: { ...searches, ...rates(20, 20, 80) },
  },
  { models: ['o3-mini', 'o3-mini-2025-01-31'], page: pricing, seen: '2026-09-07', price: rates(1.1, 0.55, 4.4) },
  { models: ['o1', 'o1-2024-12-17'], page: pricing, seen: '2026-09-07', price: rates(15, 7.5, 60) },
  { models: ['o1-pro', 'o1-pro-2025-03-19'], page: pricing, seen: '2026-09-07', price: rates(150, 150, 600) },
  { models: ['gpt-4-turbo', 'gpt-4-turbo-2024-04-09'], page: pricing, seen: '2026-09-07', price: rates(10, 10, 30) },
  { models: ['gpt-4', 'gpt-4-0613'], page: pricing, seen: '2026-09-07', price: rates(30, 30, 60) },
  { models: ['gpt-3.5-turbo', 'gpt-3.5-turbo-0125'], page: pricing, seen: '2026-09-07', price: rates(0.5, 0.5, 1.5) },
  { models: ['gpt-3.5-turbo-1106'], page: pricing, seen: '2026-09-07', price: rates(1, 1, 2) },

  {
    models: ['gpt-audio'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(2.5, 2.5, 10), inputAudio: 32, outputAudio: 64 },
  },
  {
    models: ['gpt-audio-1.5'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(2.5, 2.5, 10), inputAudio: 32, outputAudio: 64 },
  },
  {
    models: ['gpt-audio-mini', 'gpt-audio-mini-2025-12-15'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(0.6, 0.6, 2.4), inputAudio: 10, outputAudio: 20 },
  },

  { models: ['text-embedding-3-small'], page: pricing, seen: '2026-10-11', price: { input: 0.02, output: 0 } },
  { models: ['text-embedding-3-large'], page: pricing, seen: '2026-09-03', price: { input: 0.13, output: 0 } },
  { models: ['text-embedding-ada-002'], page: pricing, seen: '2026-09-03', price: { input: 0.1, output: 0 } },
];
