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
  // https://openrouter.ai/docs/features/prompt-caching: Claude has both lifetimes, Gemini five minutes.
  models: [
    { prefix: '', capabilities: { customTools: false } },
    { prefix: 'anthropic/claude-', capabilities: { customTools: false, cacheMarks: ['5m', '1h'] } },
    { prefix: 'google/gemini-', capabilities: { customTools: false, cacheMarks: ['5m'] } },
  ],
  // A complete stream can end with `[DONE]` and `finish_reason: null`: https://openrouter.ai/docs/api-reference/overview
  // The wire of Anthropic: https://openrouter.ai/docs/api/api-reference/anthropic-messages/create-messages
  // Speech: rubyll-0c6f3f4a
  quirks: { wires: ['chat-completions', 'responses', 'embeddings', 'messages', 'speech'], omitsFinishReason: true },
  // It maps all efforts to what a model has: https://openrouter.ai/docs/use-cases/reasoning-tokens
  reasoning: [{ models: [''], budgetMember: 'reasoning.max_tokens' }],
});
