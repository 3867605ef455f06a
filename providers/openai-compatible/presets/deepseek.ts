import { fillReasoning } from './chat-edits.ts';
import { definePreset } from './define-preset.ts';
import { thinkingSwitch } from '../reasoning.ts';

/** No call can be forced while it thinks: https://github.com/deepseek-ai/DeepSeek-V3/issues/1376 */
const thinks = { thinksUnasked: true, forcedTool: 'not-with-thinking' } as const;

/**
 * DeepSeek. Reasoning is in `reasoning_content`, cached input in `prompt_cache_hit_tokens` (deepse-378a134c), and it
 * must be sent back with the calls that followed it: https://api-docs.deepseek.com/guides/thinking_mode.
 *
 * The prices are those of peak hours (UTC 01:00 to 04:00 and 06:00 to 10:00, Monday to Friday). At other times calls
 * cost half as much, which a price cannot express.
 */
export default definePreset({
  name: 'deepseek',
  title: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  env: 'DEEPSEEK_API_KEY',
  suggested: ['deepseek-v4-pro', 'deepseek-flash'],
  models: [
    // https://api-docs.deepseek.com/guides/json_mode
    { prefix: '', capabilities: { schema: false } },
    { prefix: 'deepseek-flash', capabilities: { ...thinks, contextTokens: 1_000_000, maxOutput: 393_216 } },
    { prefix: 'deepseek-v4-flash', capabilities: { ...thinks, contextTokens: 1_000_000, maxOutput: 393_216 } },
    {
      prefix: 'deepseek-v4-pro',
      capabilities: { ...thinks, contextTokens: 1_000_000, maxOutput: 393_216, vision: false },
    },
  ],
  hasPrices: true,
  // https://api-docs.deepseek.com/guides/thinking_mode: off is `thinking`, not an effort. The older names do not switch.
  reasoning: [
    {
      models: ['deepseek-flash', 'deepseek-v4-'],
      efforts: ['none', 'low', 'high', 'max'],
      words: { none: thinkingSwitch.words.none },
    },
    { models: ['deepseek-chat'], efforts: [], neverThinks: true },
  ],
  // https://api-docs.deepseek.com/guides/anthropic_api
  quirks: {
    wires: ['chat-completions', 'responses', 'messages'],
    messagesUrl: 'https://api.deepseek.com/anthropic/v1',
  },
  // Without thinking, calls need no reasoning (deepse-c5aa2109).
  chat: (model) => (model === 'deepseek-chat' ? {} : { edits: fillReasoning }),
});
