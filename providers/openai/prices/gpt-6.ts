import { fast, long, pageOf, pricing, rates, type OnePrice } from './page.ts';

/** GPT-5.4 and later: other rates for long prompts, and from 5.6 on a rate for cache writes. */
export const gpt6Prices: readonly OnePrice[] = [
  {
    models: ['gpt-6-astra'],
    page: pricing,
    seen: '2026-09-03',
    price: {
      ...rates(10, 1, 50, 12.5),
      ...long(20, 2, 75, 25),
      tiers: {
        flex: { ...rates(5, 0.5, 25, 6.25), ...long(10, 1, 37.5, 12.5) },
        ...fast({ ...rates(20, 2, 100, 25), ...long(40, 4, 150, 50) }),
        ultrafast: 6,
      },
    },
  },
  {
    models: ['gpt-6.1-sol', 'gpt-6.1-sol-2026-09-29'],
    page: pricing,
    seen: '2026-09-30',
    price: {
      ...rates(2, 0.1, 10, 2.5),
      ...long(4, 0.2, 15, 5),
      tiers: {
        flex: { ...rates(1, 0.05, 5, 1.25), ...long(2, 0.1, 7.5, 2.5) },
        ...fast({ ...rates(4, 0.2, 20, 5), ...long(8, 0.4, 30, 10) }),
        ultrafast: 6,
      },
    },
  },
  {
    models: ['gpt-6.1-terra'],
    page: pageOf('gpt-6.1-terra'),
    seen: '2026-10-26',
    price: {
      ...rates(1, 0.05, 5, 1.25),
      ...long(2, 0.1, 7.5, 2.5),
      tiers: {
        flex: { ...rates(0.5, 0.025, 2.5, 0.625), ...long(1, 0.05, 3.75, 1.25) },
        ...fast({ ...rates(2, 0.1, 10, 2.5), ...long(4, 0.2, 15, 5) }),
      },
    },
  },
  {
    models: ['gpt-6-sol'],
    page: pricing,
    seen: '2026-09-23',
    price: {
      ...rates(2, 0.2, 10, 2.5),
      ...long(4, 0.4, 15, 5),
      tiers: {
        flex: { ...rates(1, 0.1, 5, 1.25), ...long(2, 0.2, 7.5, 2.5) },
        ...fast({ ...rates(4, 0.4, 20, 5), ...long(8, 0.8, 30, 10) }),
      },
    },
  },
  {
    models: ['gpt-6-luna'],
    page: pricing,
    seen: '2026-09-23',
    price: {
      ...rates(0.1, 0.01, 0.5, 0.125),
      ...long(0.2, 0.02, 0.75, 0.25),
      tiers: {
        flex: { ...rates(0.05, 0.005, 0.25, 0.0625), ...long(0.1, 0.01, 0.375, 0.125) },
        ...fast({ ...rates(0.2, 0.02, 1, 0.25), ...long(0.4, 0.04, 1.5, 0.5) }),
      },
    },
  },
  {
    // A promotion, which the page promised until 2026-11-21 at least; before it 5, 0.50 and 30.
    models: ['gpt-5.6-sol', 'gpt-5.6'],
    page: pricing,
    seen: '2026-11-01',
    price: {
      ...rates(4, 0.4, 20, 5),
      ...long(8, 0.8, 30, 10),
      tiers: {
        flex: { ...rates(2, 0.2, 10, 2.5), ...long(4, 0.4, 15, 5) },
        ...fast({ ...rates(8, 0.8, 40, 10), ...long(16, 1.6, 60, 20) }),
      },
    },
  },
  {
    models: ['gpt-5.6-terra'],
    page: pricing,
    seen: '2026-09-03',
    price: {
      ...rates(2, 0.2, 12, 2.5),
      ...long(4, 0.4, 18, 5),
      tiers: {
        flex: { ...rates(1, 0.1, 6, 1.25), ...long(2, 0.2, 9, 2.5) },
        ...fast({ ...rates(4, 0.4, 24, 5), ...long(8, 0.8, 36, 10) }),
      },
    },
  },
  {
    models: ['gpt-5.6-luna'],
    page: pricing,
    seen: '2026-09-03',
    price: {
      ...rates(0.2, 0.02, 1.2, 0.25),
      ...long(0.4, 0.04, 1.8, 0.5),
      tiers: {
        flex: { ...rates(0.1, 0.01, 0.6, 0.125), ...long(0.2, 0.02, 0.9, 0.25) },
        ...fast({ ...rates(0.4, 0.04, 2.4, 0.5), ...long(0.8, 0.08, 3.6, 1) }),
      },
    },
  },
  {
    models: ['gpt-5.5', 'gpt-5.5-2026-04-23'],
    page: pricing,
    seen: '2026-09-03',
    price: {
      ...rates(5, 0.5, 30),
      ...long(10, 1, 45),
      tiers: { flex: { ...rates(2.5, 0.25, 15), ...long(5, 0.5, 22.5) }, ...fast(rates(12.5, 1.25, 75)) },
    },
  },
  {
    models: ['gpt-5.5-pro', 'gpt-5.5-pro-2026-04-23'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(30, 30, 180), ...long(60, 60, 270), tiers: { flex: rates(15, 15, 90) } },
  },
  {
    models: ['gpt-5.4', 'gpt-5.4-2026-03-05'],
    page: pricing,
    seen: '2026-09-03',
    price: {
      ...rates(2.5, 0.25, 15),
      ...long(5, 0.5, 22.5),
      tiers: { flex: { ...rates(1.25, 0.13, 7.5), ...long(2.5, 0.25, 11.25) }, ...fast(rates(5, 0.5, 30)) },
    },
  },
  {
    models: ['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(0.75, 0.075, 4.5), tiers: { flex: rates(0.375, 0.0375, 2.25), ...fast(rates(1.5, 0.15, 9)) } },
  },
  {
    models: ['gpt-5.4-nano', 'gpt-5.4-nano-2026-03-17'],
    page: pricing,
    seen: '2026-09-03',
    price: { ...rates(0.2, 0.02, 1.25), tiers: { flex: rates(0.1, 0.01, 0.625) } },
  },
  {
    models: ['gpt-5.4-pro'],
    page: pricing,
    seen: '2026-09-03',
    price: {
      ...rates(30, 30, 180),
      ...long(60, 60, 270),
      tiers: { flex: { ...rates(15, 15, 90), ...long(30, 30, 135) } },
    },
  },
];
