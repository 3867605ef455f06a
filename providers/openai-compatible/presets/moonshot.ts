import { fillReasoning } from './chat-edits.ts';
import { definePreset } from './define-preset.ts';
import { thinkingSwitch } from '../reasoning.ts';

/** With thinking, `tool_choice` is auto or none: https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model */
const kimi = {
  sampling: false,
  choices: false,
  thinksUnasked: true,
  forcedTool: 'not-with-thinking',
} as const;

/**
 * Moonshot AI (Kimi). Reasoning is in `reasoning_content`, cached input in `cached_tokens` (moonsh-c775e2f2). Kimi
 * models set the sampling themselves and refuse other values, and need the reasoning before tool calls:
 * https://platform.kimi.ai/docs/api/chat.
 */
export default definePreset({
  name: 'moonshot',
  title: 'Moonshot AI',
  baseUrl: 'https://api.moonshot.ai/v1',
  env: 'MOONSHOT_API_KEY',
  suggested: ['kimi-k3', 'kimi-k2.6'],
  models: [
    { prefix: '', capabilities: { maxTemperature: 1 } },
    { prefix: 'kimi-k', capabilities: kimi },
    { prefix: 'kimi-k2.', capabilities: { ...kimi, contextTokens: 262_144 } },
    { prefix: 'kimi-k3', capabilities: { ...kimi, contextTokens: 1_048_576 } },
  ],
  hasPrices: true,
  // https://platform.kimi.ai/docs/guide/use-thinking-effort,
  // https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model
  reasoning: [
    { models: ['kimi-k3'], efforts: ['low', 'high', 'max'] },
    { models: ['kimi-k2.5', 'kimi-k2.6'], ...thinkingSwitch },
    { models: ['moonshot-v1-'], efforts: [], neverThinks: true },
  ],
  // https://platform.kimi.ai/docs/api/overview
  quirks: { wires: ['chat-completions', 'messages'], messagesUrl: 'https://api.moonshot.ai/anthropic/v1' },
  chat: (model) => (model.startsWith('kimi-k') ? { edits: fillReasoning } : {}),
});
