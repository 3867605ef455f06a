import type { Capabilities } from '../../../../../core/api/index.ts';

/**
 * What the wire cannot express: stop sequences, several choices, video, a number of thinking tokens.
 * https://platform.openai.com/docs/api-reference/responses/create
 */
export const limits: Capabilities = {
  thinking: 'adaptive',
  stop: false,
  choices: false,
  video: false,
  maxTemperature: 2,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
};
