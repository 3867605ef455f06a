import type { Capabilities } from '../../../../../core/api/index.ts';

/**
 * What the wire cannot express: video, a number of thinking tokens, and some tool names.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export const limits: Capabilities = {
  thinking: 'adaptive',
  video: false,
  maxTemperature: 2,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
};
