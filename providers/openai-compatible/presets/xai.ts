import type { WrittenPrice } from '../../../core/api/index.ts';
import { removeMembers } from '../edits.ts';
import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

/** Prompts of 200,000 tokens and more cost twice as much as a whole. */
const rates = (input: number, output: number, cacheRead: number): WrittenPrice => ({
  input,
  output,
  cacheRead,
  longContext: [{ above: 199_999, input: 2 * input, output: 2 * output, cacheRead: 2 * cacheRead }],
});

/** Models that reason refuse these members: https://docs.x.ai/docs/guides/reasoning */
const removeSampling = removeMembers(['frequency_penalty', 'presence_penalty', 'stop']);

/**
 * xAI (Grok). Reasoning is in `reasoning_content`, and its tokens are not in `completion_tokens` (xai-fdf68bb6). Errors
 * have the message in `error`, and a wrong key is a 400 (xai-f4311cd4).
 */
export default definePreset({
  name: 'xai',
  title: 'xAI',
  baseUrl: 'https://api.x.ai/v1',
  env: 'XAI_API_KEY',
  suggested: ['grok-4.7', 'grok-4.3'],
  models: [
    { prefix: 'grok-4.2', capabilities: { contextTokens: 1_000_000 } },
    { prefix: 'grok-4.3', capabilities: { contextTokens: 1_000_000 } },
    { prefix: 'grok-4.5', capabilities: { contextTokens: 500_000 } },
    { prefix: 'grok-4.6', capabilities: { contextTokens: 500_000 } },
    { prefix: 'grok-4.7', capabilities: { contextTokens: 500_000 } },
    { prefix: 'grok-build-', capabilities: { contextTokens: 256_000 } },
  ],
  prices: listPrices('https://docs.x.ai/developers/pricing', {
    'grok-4.7': rates(2, 6, 0.5),
    'grok-4.6': rates(2, 6, 0.5),
    'grok-4.5': rates(2, 6, 0.3),
    'grok-4.5-latest': rates(2, 6, 0.3),
    'grok-4.3': rates(1.25, 2.5, 0.2),
    'grok-4.3-latest': rates(1.25, 2.5, 0.2),
    'grok-4.20': rates(1.25, 2.5, 0.2),
    'grok-4.20-0309-reasoning': rates(1.25, 2.5, 0.2),
    'grok-4.20-0309-non-reasoning': rates(1.25, 2.5, 0.2),
    'grok-4.20-multi-agent': rates(1.25, 2.5, 0.2),
    'grok-4.20-multi-agent-0309': rates(1.25, 2.5, 0.2),
    'grok-4.20-multi-agent-latest': rates(1.25, 2.5, 0.2),
    'grok-build-0.1': rates(1, 2, 0.2),
  }),
  quirks: { wires: ['chat-completions', 'responses'] },
  chat: (model) => (model.includes('non-reasoning') ? {} : { edits: removeSampling }),
});
