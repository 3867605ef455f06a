import { removeMembers } from '../edits.ts';
import { definePreset } from './define-preset.ts';

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
  hasPrices: true,
  // https://docs.x.ai/developers/model-capabilities/text/reasoning#effort-levels. Other models refuse the member.
  reasoning: [
    { models: ['grok-4.3'], efforts: ['none', 'low', 'medium', 'high'] },
    { models: ['grok-4.5', 'grok-4.6'], efforts: ['low', 'medium', 'high'] },
    { models: ['grok-4.7', 'grok-4.20-multi-agent'], efforts: ['low', 'medium', 'high', 'xhigh'] },
    { models: ['grok-4.20-non-reasoning', 'grok-4.20-0309-non-reasoning'], efforts: [], neverThinks: true },
  ],
  quirks: {
    wires: ['chat-completions', 'responses', 'image-generations'],
    plainWires: ['image-generations'],
  },
  chat: (model) => (model.includes('non-reasoning') ? {} : { edits: removeSampling }),
});
