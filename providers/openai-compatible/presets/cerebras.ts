import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/**
 * Cerebras. It refuses the members in `remove` with a 400: https://inference-docs.cerebras.ai/resources/openai.
 * Reasoning is in `reasoning` (cerebr-ca92749f).
 */
export default definePreset({
  name: 'cerebras',
  title: 'Cerebras',
  baseUrl: 'https://api.cerebras.ai/v1',
  env: 'CEREBRAS_API_KEY',
  suggested: ['gpt-oss-120b'],
  models: [{ prefix: 'gpt-oss-', capabilities: { vision: false } }],
  prices: listPrices('https://www.cerebras.ai/pricing', {
    'gpt-oss-120b': [0.35, 0.75],
    'qwen-3.8-27b': [0.99, 1.49],
  }),
  quirks: { wires: ['chat-completions'], body: { remove: ['frequency_penalty', 'logit_bias', 'presence_penalty'] } },
});
