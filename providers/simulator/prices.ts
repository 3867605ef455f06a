import type { ShippedPrice } from '../../core/index.ts';

/** It answers in this process: its models cost nothing, which is another thing than a price nobody knows. */
export const simulatorPrices: readonly ShippedPrice[] = [
  { models: ['chat'], page: 'providers/simulator/README.md', seen: '2026-11-21', price: { input: 0, output: 0 } },
];
