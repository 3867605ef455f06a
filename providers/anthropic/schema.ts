import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';

/** `providers.<name>.config`, validated by {@link schema}. */
export interface AnthropicOptions extends ApiKeySettings {
  readonly baseUrl?: string;
  readonly threads?: 'auto' | 'on' | 'off';
}

export const DEFAULT_BASE_URL = 'https://api.anthropic.com';

export const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Anthropic',
  description: 'Claude models at Anthropic, or at another server with the messages API.',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...createApiKeySchemas('The API key, sent as x-api-key.'),
    baseUrl: {
      description: 'Base URL without /v1, as in the official SDKs.',
      type: 'string',
      pattern: '^https?://',
      default: DEFAULT_BASE_URL,
    },
    threads: {
      description: 'Whether the server holds message threads. `auto`: only api.anthropic.com does.',
      enum: ['auto', 'on', 'off'],
      default: 'auto',
    },
  },
};
