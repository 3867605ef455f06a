import type { JsonObject } from '../../core/index.ts';

export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

export interface OpenAiOptions {
  readonly apiKey?: string;
  readonly apiKeys?: readonly string[];
  readonly baseUrl?: string;
  readonly organization?: string;
  readonly project?: string;
}

/** `providers.<name>.config` */
export const openAiSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  additionalProperties: false,
  properties: {
    apiKey: {
      type: 'string',
      description: 'The API key. While it is empty, the models of this provider are unavailable.',
      default: '',
    },
    apiKeys: {
      type: 'array',
      items: { type: 'string' },
      description: 'More API keys, used in rotation after `apiKey`.',
      default: [],
    },
    baseUrl: {
      type: 'string',
      pattern: '^https?://',
      description: 'Base URL with its version, as in the official SDK.',
      default: DEFAULT_BASE_URL,
    },
    organization: { type: 'string', description: 'Sent as `OpenAI-Organization` when not empty.', default: '' },
    project: { type: 'string', description: 'Sent as `OpenAI-Project` when not empty.', default: '' },
  },
};
