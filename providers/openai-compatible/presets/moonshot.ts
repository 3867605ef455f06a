import { fillReasoning } from './chat-edits.ts';
import { definePreset } from './define-preset.ts';
import { listPrices } from './list-prices.ts';

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
    { prefix: 'kimi-k', capabilities: { sampling: false, choices: false } },
    { prefix: 'kimi-k2.', capabilities: { sampling: false, choices: false, contextTokens: 262_144 } },
    { prefix: 'kimi-k3', capabilities: { sampling: false, choices: false, contextTokens: 1_048_576 } },
  ],
  prices: listPrices('https://platform.kimi.ai/docs/pricing/chat', {
    'kimi-k2.5': [0.6, 3, 0.1],
    'kimi-k2.6': [0.95, 4, 0.16],
    'kimi-k2.7-code': [0.95, 4, 0.19],
    'kimi-k2.7-code-highspeed': [1.9, 8, 0.38],
    'kimi-k3': { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3, cacheWrite1h: 6 },
    'kimi-k3.1-pro': { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2, cacheWrite1h: 4 },
    'kimi-k3.1-pro-highspeed': { input: 4, output: 20, cacheRead: 0.2, cacheWrite5m: 4, cacheWrite1h: 8 },
  }),
  quirks: { wires: ['chat-completions'] },
  chat: (model) => (model.startsWith('kimi-k') ? { edits: fillReasoning } : {}),
});
