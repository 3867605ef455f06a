import { removeNames } from './chat-edits.ts';
import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/**
 * Groq. It refuses the members in `remove`, names of messages, and more than one choice:
 * https://console.groq.com/docs/openai. Usage of a stream is also in `x_groq` (groq-db083999), reasoning in `reasoning`
 * (groq-34979a34), and a stream that fails has no `[DONE]` (groq-38dea5d7).
 */
export default definePreset({
  name: 'groq',
  title: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  env: 'GROQ_API_KEY',
  suggested: ['openai/gpt-oss-120b', 'openai/gpt-oss-20b'],
  models: [
    { prefix: '', capabilities: { choices: false } },
    { prefix: 'openai/gpt-oss-', capabilities: { vision: false, contextTokens: 131_072 } },
    { prefix: 'qwen/qwen3.8-27b', capabilities: { contextTokens: 131_072 } },
  ],
  prices: listPrices('https://console.groq.com/docs/models', {
    'openai/gpt-oss-120b': [0.15, 0.6, 0.075],
    'openai/gpt-oss-20b': [0.075, 0.3, 0.0375],
    'qwen/qwen3.8-27b': [0.8, 4],
    'meta-llama/llama-prompt-guard-2-22m': [0.03, 0.03],
    'meta-llama/llama-prompt-guard-2-86m': [0.04, 0.04],
  }),
  quirks: { wires: ['chat-completions'], body: { remove: ['logprobs', 'logit_bias', 'top_logprobs'] } },
  chat: () => ({ edits: removeNames }),
});
