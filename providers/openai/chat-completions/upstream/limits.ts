import type { Capabilities } from '../../../../core/index.ts';

/** What the wire itself cannot say: a number of thinking tokens, and tool names beyond https://platform.openai.com/docs/api-reference/chat/create. */
export const limits: Capabilities = {
  thinking: 'adaptive',
  maxTemperature: 2,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
};
