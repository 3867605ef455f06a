import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';

export const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';

export interface GoogleOptions extends ApiKeySettings {
  readonly baseUrl?: string;
}

/** `providers.<name>.config` */
export const googleSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Google',
  description: 'Gemini and Gemma models at the Gemini API, or at another server with that API.',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...createApiKeySchemas('The API key, sent as x-goog-api-key.'),
    baseUrl: {
      type: 'string',
      pattern: '^https?://',
      description: 'Base URL without a version, as in the official SDK.',
      default: DEFAULT_BASE_URL,
    },
  },
};
