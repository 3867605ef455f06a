import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/** SambaNova Cloud. */
export default definePreset({
  name: 'sambanova',
  title: 'SambaNova',
  baseUrl: 'https://api.sambanova.ai/v1',
  env: 'SAMBANOVA_API_KEY',
  suggested: ['gpt-oss-120b'],
  models: [{ prefix: 'gpt-oss-', capabilities: { vision: false } }],
  prices: listPrices('https://cloud.sambanova.ai/plans/pricing', {
    'DeepSeek-V3.1': [3, 4.5],
    'DeepSeek-V3.2': [3, 4.5],
    'Meta-Llama-3.3-70B-Instruct': [0.6, 1.2],
    'MiniMax-M2.7': [0.6, 2.4],
    'gemma-4-31B-it': [0.38, 1.15],
    'gpt-oss-120b': [0.22, 0.59],
  }),
});
