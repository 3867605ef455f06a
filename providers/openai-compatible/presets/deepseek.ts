import { fillReasoning } from './chat-edits.ts';
import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

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
    { prefix: 'deepseek-flash', capabilities: { contextTokens: 1_000_000, maxOutput: 393_216 } },
    { prefix: 'deepseek-v4-flash', capabilities: { contextTokens: 1_000_000, maxOutput: 393_216 } },
    { prefix: 'deepseek-v4-pro', capabilities: { contextTokens: 1_000_000, maxOutput: 393_216, vision: false } },
  ],
  prices: listPrices('https://api-docs.deepseek.com/quick_start/pricing', {
    'deepseek-flash': [0.3, 1.2, 0.006],
    'deepseek-v4-flash': [0.3, 1.2, 0.006],
    'deepseek-v4-pro': [1.32, 3.96, 0.044],
  }),
  quirks: { wires: ['chat-completions', 'responses'] },
  // Without thinking, calls need no reasoning (deepse-c5aa2109).
  chat: (model) => (model === 'deepseek-chat' ? {} : { edits: fillReasoning }),
});
