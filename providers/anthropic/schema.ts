import type { JsonObject } from '../../core/index.ts';

/** `providers.<name>.config`, validated by {@link schema}. */
export interface AnthropicOptions {
  readonly apiKey: string;
  readonly apiKeys: readonly string[];
  readonly baseUrl: string;
}

export const DEFAULT_BASE_URL = 'https://api.anthropic.com';

export const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Anthropic',
  description: 'Claude models at Anthropic, or at another server with the messages API.',
  type: 'object',
  additionalProperties: false,
  properties: {
    apiKey: {
      description: 'The API key, sent as x-api-key. While it is empty, the models of this provider are unavailable.',
      type: 'string',
      default: '',
    },
    apiKeys: {
      description: 'More API keys, used in rotation after apiKey. They appear in logs as key-1, key-2 and so on.',
      type: 'array',
      items: { description: 'An API key.', type: 'string' },
      default: [],
    },
    baseUrl: {
      description: 'Base URL without /v1, as in the official SDKs.',
      type: 'string',
      pattern: '^https?://',
      default: DEFAULT_BASE_URL,
    },
  },
};
