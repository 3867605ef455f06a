import { definePreset } from './define-preset.ts';
import { thinkingSwitch } from '../reasoning.ts';

/**
 * Z.ai (GLM). Reasoning is in `reasoning_content` (zai-8a514a7a). Accounts with the Coding Plan set `baseUrl` to
 * https://api.z.ai/api/coding/paas/v4, where these prices do not hold.
 */
export default definePreset({
  name: 'zai',
  title: 'Z.ai',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  env: 'ZAI_API_KEY',
  suggested: ['glm-5.3', 'glm-5.3-flash'],
  models: [
    // https://docs.z.ai/api-reference/llm/chat-completion: JSON without a schema, and `tool_choice: auto` only.
    { prefix: '', capabilities: { schema: false, forcedTool: false } },
    { prefix: 'glm-5.2', capabilities: { contextTokens: 1_000_000 } },
    { prefix: 'glm-5.3', capabilities: { contextTokens: 1_000_000 } },
  ],
  // https://docs.z.ai/devpack/tool/claude
  quirks: {
    wires: ['chat-completions', 'embeddings', 'messages'],
    messagesUrl: 'https://api.z.ai/api/anthropic/v1',
  },
  hasPrices: true,
  // https://docs.z.ai/guides/capabilities/thinking-mode: efforts from GLM 5.2 on; GLM 5.3 always thinks.
  reasoning: [
    { models: ['glm-5.3'], efforts: ['low', 'high', 'max'] },
    {
      models: ['glm-5.2'],
      efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
      words: { none: thinkingSwitch.words.none },
    },
    { models: ['glm-4.5', 'glm-4.6', 'glm-4.7', 'glm-5'], ...thinkingSwitch },
    { models: ['glm-4-32b-'], efforts: [], neverThinks: true },
  ],
});
