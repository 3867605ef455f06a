import type { WrittenPrice } from '../../../core/api/index.ts';
import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

const prefix = 'accounts/fireworks/models/';

/** Rates with those of the priority tier, a multiple that differs by model: https://docs.fireworks.ai/serverless/pricing */
const tiered = (input: number, output: number, cacheRead: number, priority: number): WrittenPrice => ({
  input,
  output,
  cacheRead,
  tiers: { priority },
});

/** Fireworks AI. Names of models are paths: `accounts/fireworks/models/glm-5p3`. */
export default definePreset({
  name: 'fireworks',
  title: 'Fireworks AI',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  env: 'FIREWORKS_API_KEY',
  suggested: [`${prefix}glm-5p3`, `${prefix}deepseek-v4p1-flash`],
  models: [{ prefix: `${prefix}gpt-oss-`, capabilities: { vision: false } }],
  prices: listPrices('https://fireworks.ai/pricing', {
    [`${prefix}deepseek-v4p1-flash`]: tiered(0.3, 1.2, 0.006, 1.25),
    [`${prefix}glm-5p1`]: [1.4, 4.4, 0.26],
    [`${prefix}glm-5p3`]: tiered(1.4, 4.4, 0.26, 1.25),
    [`${prefix}glm-5p3-flash`]: tiered(0.15, 0.5, 0.03, 1.25),
    [`${prefix}gpt-oss-20b`]: [0.07, 0.3, 0.035],
    [`${prefix}kimi-k2p5`]: [0.6, 3, 0.1],
    [`${prefix}kimi-k3`]: tiered(3, 15, 0.3, 1.25),
    [`${prefix}minimax-m3`]: tiered(0.3, 1.2, 0.06, 1.5),
    [`${prefix}qwen3p7-plus`]: [0.4, 1.6, 0.08],
    [`${prefix}qwen3p8-max`]: tiered(2, 6, 0.25, 1.5),
  }),
});
