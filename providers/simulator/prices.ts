import type { ShippedPrice } from '../../core/api/index.ts';

/** The simulator costs nothing. The price of 0 is listed because a missing price would count as unknown. */
export const simulatorPrices: readonly ShippedPrice[] = [
  { models: ['chat'], page: 'providers/simulator/README.md', seen: '2026-11-21', price: { input: 0, output: 0 } },
];
