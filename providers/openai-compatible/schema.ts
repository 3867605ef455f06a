import type { JsonObject } from '../../core/index.ts';

/** The paths of the wires, below the base address. */
export const paths = {
  'chat-completions': '/chat/completions',
  'embeddings': '/embeddings',
  'responses': '/responses',
} as const;
export type CompatibleWire = keyof typeof paths;

export const DEFAULT_WIRES: readonly CompatibleWire[] = ['chat-completions', 'embeddings'];

export interface CompatibleOptions {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly apiKeys?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly wires?: readonly CompatibleWire[];
  readonly cancelEndsCharges?: boolean;
  readonly omitsFinishReason?: boolean;
}

/** `providers.<name>.config` */
export const compatibleSchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'OpenAI-compatible',
  description:
    'Any server that speaks a wire of OpenAI: vLLM, Ollama, llama.cpp, LM Studio, a hosted service, another gateway.',
  type: 'object',
  additionalProperties: false,
  required: ['baseUrl'],
  properties: {
    baseUrl: {
      type: 'string',
      pattern: '^https?://',
      description:
        'Base URL with its version, as in the official SDK, e.g. http://127.0.0.1:8000/v1. ' +
        'Its query is sent with every call.',
    },
    apiKey: {
      type: 'string',
      description: 'The API key, sent as a bearer token. Empty: calls have no authorization header.',
      default: '',
    },
    apiKeys: {
      type: 'array',
      items: { type: 'string' },
      description: 'More API keys, used in rotation after `apiKey`.',
      default: [],
    },
    headers: {
      type: 'object',
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
      additionalProperties: { type: 'string', pattern: '^[^\\r\\n]*$' },
      description:
        'Headers of every call, in addition to those of the wire, ' +
        'e.g. `api-key` for a server that reads its key there. They take precedence over all others.',
      default: {},
    },
    wires: {
      type: 'array',
      items: { enum: Object.keys(paths) },
      minItems: 1,
      uniqueItems: true,
      description:
        'The wires of the server. Requests on any other wire are translated to the first one listed ' +
        'that generates.',
      default: DEFAULT_WIRES,
    },
    cancelEndsCharges: {
      type: 'boolean',
      description:
        'A cancelled call costs nothing more, plain or streamed, as with a server of your own: ' +
        'it is cancelled as soon as its client disconnects, not read on for its usage (server.readOn).',
      default: false,
    },
    omitsFinishReason: {
      type: 'boolean',
      description:
        'The server ends complete streams of chat completions with [DONE] but no finish_reason, as Snowflake does. ' +
        'Otherwise such streams count as truncated.',
      default: false,
    },
  },
};
