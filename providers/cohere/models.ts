import type { Capabilities, ModelFamily } from '../../core/api/index.ts';

/** https://docs.cohere.com/docs/models */
const text: Capabilities = { thinking: 'none', efforts: [], vision: false };
const thinking: Capabilities = { thinking: 'budget', minBudget: 1, vision: false };
const sees: Capabilities = { ...text, vision: true };
const commandR: Capabilities = { ...text, contextTokens: 128_000, maxOutput: 4_000 };
const commandA: Capabilities = { ...text, contextTokens: 256_000, maxOutput: 8_000 };

const family = (prefix: string, capabilities: Capabilities): ModelFamily => ({ prefix, capabilities });

export const families: readonly ModelFamily[] = [
  family('command-r', commandR),
  family('command-a', commandA),
  family('command-a-plus', { ...thinking, vision: true }),
  family('command-a-reasoning', { ...thinking, contextTokens: 256_000, maxOutput: 32_000 }),
  family('command-a-vision', { ...sees, contextTokens: 128_000, maxOutput: 8_000 }),
  family('c4ai-aya-expanse', { ...text, contextTokens: 128_000, maxOutput: 4_000 }),
  family('c4ai-aya-vision', { ...sees, contextTokens: 16_000, maxOutput: 4_000 }),
];
