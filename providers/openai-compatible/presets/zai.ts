import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/**
 * Z.ai (GLM). Reasoning is in `reasoning_content` (zai-8a514a7a). Accounts with the Coding Plan set `baseUrl` to
 * https://api.z.ai/api/coding/paas/v4, where these prices do not hold.
 */
export default definePreset({
  name: 'zai',
  title: 'Z.ai',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  env: 'ZAI_API_KEY',
  suggested: ['glm-5.3', 'glm-5.3-flash'],
  models: [
    { prefix: 'glm-5.2', capabilities: { contextTokens: 1_000_000 } },
    { prefix: 'glm-5.3', capabilities: { contextTokens: 1_000_000 } },
  ],
  prices: listPrices('https://docs.z.ai/guides/overview/pricing', {
    'glm-4-32b-0414-128k': [0.1, 0.1],
    'glm-4.6': [0.6, 2.2, 0.11],
    'glm-4.7': [0.6, 2.2, 0.11],
    'glm-5': [1, 3.2, 0.2],
    'glm-5.1': [1.4, 4.4, 0.26],
    'glm-5.2': [1.4, 4.4, 0.26],
    'glm-5.3': [1.4, 4.4, 0.26],
    'glm-5.3-flash': [0.15, 0.5, 0.03],
  }),
});
