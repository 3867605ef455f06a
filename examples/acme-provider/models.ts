import type { ModelFamily, ShippedPrice } from 'koine-gateway';

/** What the models can do. The longest prefix wins; what a model cannot do is named or refused before it is called. */
export const models: readonly ModelFamily[] = [
  { prefix: '', capabilities: { customTools: false, vision: false, contextTokens: 65_536 } },
  { prefix: 'one-large', capabilities: { customTools: false, vision: true, contextTokens: 262_144 } },
];

/** USD per million tokens, by the exact name of the model. */
export const prices: readonly ShippedPrice[] = [
  { models: ['one'], price: { input: 0.4, output: 1.2 }, page: 'https://acme.example/pricing', seen: '2026-11-23' },
];
