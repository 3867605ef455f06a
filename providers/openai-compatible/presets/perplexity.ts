import { definePreset } from './define-preset.ts';

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
  hasPrices: true,
  quirks: { wires: ['responses', 'embeddings'] },
});
