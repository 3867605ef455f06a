import { definePreset } from './define-preset.ts';

/**
 * OpenRouter. Its streams have comments (openro-84fa2ec0), reasoning is in `reasoning` and `reasoning_details`
 * (openro-a9f3ad6e), and an error can come after a 200 (openro-7c429d2d). Members that choose other models or providers
 * are refused unless `acceptMembers` lists them. The price depends on the provider that serves a call, so none is
 * shipped: the cost that it reports applies.
 */
export default definePreset({
  name: 'openrouter',
  title: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  env: 'OPENROUTER_API_KEY',
  suggested: ['openai/gpt-oss-120b'],
  quirks: { wires: ['chat-completions', 'responses', 'embeddings'] },
});
