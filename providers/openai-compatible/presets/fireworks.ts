import { definePreset } from './define-preset.ts';

const prefix = 'accounts/fireworks/models/';

/** Fireworks AI. Names of models are paths: `accounts/fireworks/models/glm-5p3`. */
export default definePreset({
  name: 'fireworks',
  title: 'Fireworks AI',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  env: 'FIREWORKS_API_KEY',
  suggested: [`${prefix}glm-5p3`, `${prefix}deepseek-v4p1-flash`],
  models: [{ prefix: `${prefix}gpt-oss-`, capabilities: { vision: false } }],
  hasPrices: true,
  // https://docs.fireworks.ai/guides/reasoning
  reasoning: [
    { models: [`${prefix}gpt-oss-`, `${prefix}kimi-k2`], efforts: ['low', 'medium', 'high'] },
    { models: [`${prefix}deepseek-v4`], efforts: ['none', 'low', 'medium', 'high', 'xhigh'] },
    { models: [`${prefix}glm-5`], efforts: ['none', 'high', 'max'] },
    { models: [`${prefix}glm-5p3`], efforts: ['low', 'high', 'max'] },
  ],
});
