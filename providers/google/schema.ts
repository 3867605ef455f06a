import type { JsonObject } from '../../core/index.ts';

export const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';

export interface GoogleOptions {
  readonly apiKey?: string;
  readonly apiKeys?: readonly string[];
  readonly baseUrl?: string;
}

/** `providers.<name>.config` */
export const googleSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Google',
  description: 'Gemini and Gemma models at the Gemini API, or at anyone who speaks it under another address.',
  type: 'object',
  additionalProperties: false,
  properties: {
    apiKey: {
      type: 'string',
      description:
        'The key, sent as x-goog-api-key. May be empty: the models of this provider are then unavailable, and say so.',
      default: '',
    },
    apiKeys: {
      type: 'array',
      items: { type: 'string' },
      description: 'Several keys, used in rotation. With `apiKey` they follow it.',
      default: [],
    },
    baseUrl: {
      type: 'string',
      pattern: '^https?://',
      description: 'Base address without a version, as the official SDK takes it.',
      default: DEFAULT_BASE_URL,
    },
  },
};
