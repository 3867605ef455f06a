import type { Capabilities } from '../../../../../core/api/index.ts';

/** What the wire cannot express, whatever the model: https://platform.claude.com/docs/en/api/messages */
export const limits: Capabilities = {
  choices: false,
  json: false,
  customTools: false,
  maxTemperature: 1,
  audio: false,
  video: false,
  toolName: /^[a-zA-Z0-9_-]{1,128}$/,
  cacheMarks: ['5m', '1h'],
};
