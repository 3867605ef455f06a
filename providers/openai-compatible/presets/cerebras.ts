import { definePreset } from './define-preset.ts';

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
  hasPrices: true,
  // https://inference-docs.cerebras.ai/capabilities/reasoning. `none` was refused for Qwen.
  reasoning: [
    { models: ['gpt-oss-', 'qwen-3.8-'], efforts: ['low', 'medium', 'high'] },
    { models: ['zai-glm-'], efforts: ['none', 'low', 'medium', 'high'] },
  ],
  quirks: { wires: ['chat-completions'], body: { remove: ['frequency_penalty', 'logit_bias', 'presence_penalty'] } },
});
