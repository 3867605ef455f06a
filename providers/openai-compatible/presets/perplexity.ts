import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/**
 * Perplexity, by its Agent API, which is a Responses API. Chat completions (Sonar) ended on 2026-09-27:
 * https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar/overview. A server that still has them needs
 * `wires: [chat-completions]` and `baseUrl: https://api.perplexity.ai`: their streams have a `message` beside each
 * `delta` and no `[DONE]` (perple-239199b5), which is read as well. Errors have numbers as codes (perple-af6afe82).
 */
export default definePreset({
  name: 'perplexity',
  title: 'Perplexity',
  baseUrl: 'https://api.perplexity.ai/v1',
  env: 'PERPLEXITY_API_KEY',
  suggested: ['perplexity/sonar'],
  prices: listPrices('https://docs.perplexity.ai/docs/agent-api/models', {
    'perplexity/sonar': [0.25, 2.5, 0.0625],
    'perplexity/deepseek-v4-pro-0813': [1.32, 3.96, 0.044],
    'perplexity/glm-5.3': [1.4, 4.4, 0.26],
    'perplexity/glm-5.3-flash': [0.15, 0.5, 0.03],
    'perplexity/kimi-k3': [3, 15, 0.3],
  }),
  quirks: { wires: ['responses', 'embeddings'] },
});
