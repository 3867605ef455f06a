import { definePreset } from './define-preset.ts';

const reasoningSwitch = {
  efforts: ['none', 'enabled'],
  words: { none: { reasoning: { enabled: false } }, enabled: { reasoning: { enabled: true } } },
} as const;

/** Together AI. A text can end with the reason `eos` (togeth-9840f74b); cached input is in `cached_tokens`. */
export default definePreset({
  name: 'together',
  title: 'Together AI',
  baseUrl: 'https://api.together.xyz/v1',
  env: 'TOGETHER_API_KEY',
  suggested: ['zai-org/GLM-5.3', 'openai/gpt-oss-120b'],
  models: [{ prefix: 'openai/gpt-oss-', capabilities: { vision: false, contextTokens: 131_072 } }],
  hasPrices: true,
  // https://docs.together.ai/docs/inference/chat/reasoning: a switch in `reasoning`, or efforts.
  reasoning: [
    { models: ['openai/gpt-oss-'], efforts: ['low', 'medium', 'high'] },
    {
      models: ['deepseek-ai/DeepSeek-V4-', 'zai-org/GLM-5', 'moonshotai/Kimi-K2.5', 'moonshotai/Kimi-K2.6'],
      ...reasoningSwitch,
    },
    { models: ['Qwen/Qwen3.5-', 'Qwen/Qwen3.6-'], ...reasoningSwitch },
    // The model itself always thinks: https://docs.z.ai/guides/capabilities/thinking-mode
    { models: ['zai-org/GLM-5.3'], efforts: [] },
  ],
  quirks: {
    wires: ['chat-completions', 'completions', 'embeddings', 'rerank', 'image-generations'],
    plainWires: ['image-generations'],
  },
});
