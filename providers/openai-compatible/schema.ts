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
        'Base address with its version, as the SDK takes it, e.g. http://127.0.0.1:8000/v1. ' +
        'A query of it is sent with every call.',
    },
    apiKey: {
      type: 'string',
      description: 'API key, sent as a bearer token. Empty: calls carry no authorization, as local servers like it.',
      default: '',
    },
    apiKeys: {
      type: 'array',
      items: { type: 'string' },
      description: 'Several API keys, used in rotation. With `apiKey` they follow it.',
      default: [],
    },
    headers: {
      type: 'object',
      propertyNames: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
      additionalProperties: { type: 'string', pattern: '^[^\\r\\n]*$' },
      description:
        'Headers that every call carries beside those of the wire, ' +
        'e.g. `api-key` where a server wants its key there. They win over all others.',
      default: {},
    },
    wires: {
      type: 'array',
      items: { enum: Object.keys(paths) },
      minItems: 1,
      uniqueItems: true,
      description:
        'What the server speaks. Of the wires that generate, the first one listed is spoken to it ' +
        "where the client's own is not.",
      default: DEFAULT_WIRES,
    },
    cancelEndsCharges: {
      type: 'boolean',
      description:
        'A call that is cut costs nothing more, plain or streamed, as with a server of your own: ' +
        'it is cut as soon as its client has left, not read on for its usage (server.readOn).',
      default: false,
    },
    omitsFinishReason: {
      type: 'boolean',
      description:
        'The server ends good streams of chat completions with [DONE] but no finish_reason, as Snowflake does. ' +
        'Else they count as cut off.',
      default: false,
    },
  },
};
