import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';

/** `providers.<name>.config`, validated by {@link schema}. */
export interface MistralOptions extends ApiKeySettings {
  readonly baseUrl?: string;
  readonly safePrompt?: boolean;
}

export const DEFAULT_BASE_URL = 'https://api.mistral.ai/v1';

export const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Mistral',
  description: 'Models of Mistral, by its dialect of chat completions and embeddings.',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...createApiKeySchemas('The API key, sent as a bearer token.'),
    baseUrl: {
      description: 'Base URL with its version, as in the official SDK.',
      type: 'string',
      pattern: '^https?://',
      default: DEFAULT_BASE_URL,
    },
    safePrompt: {
      description: 'Whether the vendor puts its safety prompt before each conversation. What a request sets wins.',
      type: 'boolean',
      default: false,
    },
  },
};
