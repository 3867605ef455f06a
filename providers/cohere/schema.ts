import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';

/** `providers.<name>.config`, validated by {@link schema}. */
export interface CohereOptions extends ApiKeySettings {
  readonly baseUrl?: string;
  readonly safetyMode?: 'CONTEXTUAL' | 'STRICT' | 'OFF';
  readonly citations?: 'FAST' | 'ACCURATE' | 'OFF';
}

export const DEFAULT_BASE_URL = 'https://api.cohere.com';

export const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Cohere',
  description: 'Models of Cohere, by the API v2.',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...createApiKeySchemas('The API key, sent as a bearer token.'),
    baseUrl: {
      description: 'Address without /v2: of the vendor, or of a private deployment.',
      type: 'string',
      pattern: '^https?://',
      default: DEFAULT_BASE_URL,
    },
    safetyMode: {
      description: 'The safety instruction of requests without tools. Default: that of the model.',
      enum: ['CONTEXTUAL', 'STRICT', 'OFF'],
    },
    citations: {
      description: 'How answers cite the results of tools. Default: that of the model.',
      enum: ['FAST', 'ACCURATE', 'OFF'],
    },
  },
};
