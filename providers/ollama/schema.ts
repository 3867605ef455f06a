import type { ApiKeySettings, JsonObject } from '../../core/api/index.ts';

/** `providers.<name>.config`, validated by {@link schema}. */
export interface OllamaOptions extends ApiKeySettings {
  readonly baseUrl?: string;
  readonly options?: Readonly<JsonObject>;
  readonly keepAlive?: string | number;
}

export const DEFAULT_BASE_URL = 'http://127.0.0.1:11434';

export const schema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Ollama',
  description: 'Models of an Ollama server, by its native API.',
  type: 'object',
  additionalProperties: false,
  properties: {
    baseUrl: {
      description: 'Address of the server without /api. For the hosted models: https://ollama.com.',
      type: 'string',
      pattern: '^https?://',
      default: DEFAULT_BASE_URL,
    },
    apiKey: {
      description: 'The API key, sent as a bearer token. Empty: calls carry no key, as for a server of your own.',
      type: 'string',
      default: '',
    },
    apiKeys: {
      description: 'More API keys, used in rotation after `apiKey`.',
      type: 'array',
      items: { type: 'string' },
      default: [],
    },
    options: {
      description:
        'Options of the server for each request, such as num_ctx, the size of the context in tokens. ' +
        'What a request sets takes precedence.',
      type: 'object',
      examples: [{ num_ctx: 32768 }],
      default: {},
    },
    keepAlive: {
      description: 'How long the server keeps a model in memory after a request: 30m, 0, -1. Default: its own setting.',
      type: ['string', 'number'],
      examples: ['30m'],
    },
  },
};
