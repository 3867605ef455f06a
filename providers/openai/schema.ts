import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';

export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

export interface OpenAiOptions extends ApiKeySettings {
  readonly baseUrl?: string;
  readonly organization?: string;
  readonly project?: string;
  readonly correctUsage?: boolean;
}

export const correctUsageSchema: JsonObject = {
  type: 'boolean',
  description:
    'Whether the usage of a native response is corrected where its figures contradict each other, and estimated ' +
    'where there is none. false: it is passed on as the vendor wrote it.',
  default: true,
};

/** `providers.<name>.config` */
export const openAiSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...createApiKeySchemas('The API key, sent as a bearer token.'),
    baseUrl: {
      type: 'string',
      pattern: '^https?://',
      description: 'Base URL with its version, as in the official SDK.',
      default: DEFAULT_BASE_URL,
    },
    organization: { type: 'string', description: 'Sent as `OpenAI-Organization` when not empty.', default: '' },
    project: { type: 'string', description: 'Sent as `OpenAI-Project` when not empty.', default: '' },
    correctUsage: correctUsageSchema,
  },
};
