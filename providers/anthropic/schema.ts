import type { JsonObject } from '../../core/index.ts';

/** `providers.<name>.config`, checked by {@link schema} before it gets here. */
export interface AnthropicOptions {
  readonly apiKey: string;
  readonly apiKeys: readonly string[];
  readonly baseUrl: string;
}

export const DEFAULT_BASE_URL = 'https://api.anthropic.com';

export const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Anthropic',
  description: 'Claude models at Anthropic, or at anyone who speaks the messages API under another address.',
  type: 'object',
  additionalProperties: false,
  properties: {
    apiKey: {
      description:
        'The key, sent as x-api-key. While it is empty the models of this provider are unavailable, and say so.',
      type: 'string',
      default: '',
    },
    apiKeys: {
      description:
        'Several keys in rotation, after apiKey where both are given. They appear in logs as key-1, key-2 and so on.',
      type: 'array',
      items: { description: 'A key.', type: 'string' },
      default: [],
    },
    baseUrl: {
      description: 'Where the API is, without /v1, as in the official SDKs.',
      type: 'string',
      pattern: '^https?://',
      default: DEFAULT_BASE_URL,
    },
  },
};
