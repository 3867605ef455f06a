import { long, pricing, rates, type OnePrice } from './page.ts';

/** Models for security, science and law, which need an approval of the vendor. */
export const specialPrices: readonly OnePrice[] = [
  { models: ['gpt-6-cyber'], page: pricing, seen: '2026-11-01', price: rates(20, 2, 100, 25) },
  { models: ['gpt-5.6-cyber'], page: pricing, seen: '2026-10-20', price: rates(12.5, 1.25, 75, 15.625) },
  { models: ['gpt-5.5-cyber'], page: pricing, seen: '2026-10-20', price: rates(12.5, 1.25, 75) },
  {
    models: ['gpt-6-rosalind'],
    page: pricing,
    seen: '2026-11-01',
    price: { ...rates(15, 1.5, 75, 18.75), ...long(30, 3, 112.5, 37.5) },
  },
  { models: ['gpt-rosalind-discovery'], page: pricing, seen: '2026-11-01', price: rates(5, 0.5, 25) },
  { models: ['gpt-rosalind-research'], page: pricing, seen: '2026-09-03', price: rates(5, 0.5, 25) },
];
