import { createApiKeySchemas, type ApiKeySettings, type JsonObject } from '../../core/api/index.ts';
import { apiKeySchema } from '../../core/api/internal.ts';
import {
  DEFAULT_WIRES,
  operations,
  streamableWires,
  type CompatibleOperation,
  type CompatibleWire,
} from './operations.ts';

/** How a server differs from the wires: settings that a vendor's provider can preset. */
export interface Quirks {
  readonly wires?: readonly CompatibleWire[];
  readonly plainWires?: readonly (typeof streamableWires)[number][];
  readonly auth?: { readonly header?: string; readonly prefix?: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly messagesUrl?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly paths?: Partial<Readonly<Record<CompatibleOperation | 'models', string>>>;
  readonly body?: BodySettings;
  readonly streamOptions?: boolean;
  readonly cancelEndsCharges?: boolean;
  readonly omitsFinishReason?: boolean;
  readonly thinkTags?: boolean;
  readonly correctUsage?: boolean;
}

/** Changes to the top-level members of each request. */
export interface BodySettings {
  readonly set?: Readonly<JsonObject>;
  readonly remove?: readonly string[];
  readonly rename?: Readonly<Record<string, string>>;
}

/** The settings of a provider that `createCompatibleProvider` has made. */
export interface CompatibleOptions extends Quirks, ApiKeySettings {
  readonly baseUrl: string;
}

const NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
/** Relative to the base address, with `{model}` as the only placeholder. */
const PATH = '^(?:/(?:[^?#{}\\s]|\\{model\\})*)?$';

const auth: JsonObject = {
  type: 'object',
  additionalProperties: false,
  description: 'How the API key is sent. Default: as a bearer token.',
  properties: {
    header: { type: 'string', pattern: NAME, description: 'The header of the key. Default: authorization.' },
    prefix: {
      type: 'string',
      pattern: '^[\\x20-\\x7e]*$',
      description:
        'Written before the key, with its space: "Token ". ' +
        'Default: "Bearer " in the header authorization, nothing in any other.',
    },
  },
};

const paths: JsonObject = {
  type: 'object',
  additionalProperties: false,
  description:
    'The paths of operations that are elsewhere, relative to baseUrl. {model} is the name of the model. ' +
    'Empty: the base URL itself.',
  properties: {
    ...Object.fromEntries(
      Object.entries(operations).map(([name, { path }]) => [
        name,
        {
          type: 'string',
          pattern: PATH,
          description: name === 'compact' ? `Default: none; OpenAI has ${path}.` : `Default: ${path}.`,
        },
      ]),
    ),
    models: { type: 'string', pattern: PATH, description: 'The list of models. Default: /models.' },
  },
};

const body: JsonObject = {
  type: 'object',
  additionalProperties: false,
  description:
    'Changes to the top-level members of each request: first renamed, then removed, then set. ' +
    'What a client loses by them is reported as a loss. Default: none.',
  properties: {
    set: {
      type: 'object',
      description: 'Members with their values, in place of those of the client. Default: none.',
      examples: [{ safe_prompt: true }],
    },
    remove: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      uniqueItems: true,
      description: 'Members that the server refuses. Default: none.',
      examples: [['parallel_tool_calls', 'user']],
    },
    rename: {
      type: 'object',
      additionalProperties: { type: 'string', minLength: 1 },
      description:
        'Members to which the server gives other names: the name of the wire, and that of the server. Default: none.',
      examples: [{ max_tokens: 'max_new_tokens' }],
    },
  },
};

const texts = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: { type: 'string', pattern: '^[^\\r\\n\\0]*$' },
  description,
});

const quirks = {
  wires: {
    type: 'array',
    items: { enum: [...new Set(Object.values(operations).map(({ wire }) => wire))] },
    minItems: 1,
    uniqueItems: true,
    description:
      'The wires of the server. Requests on any other wire are translated to the first one listed that generates.',
    default: DEFAULT_WIRES,
  },
  plainWires: {
    type: 'array',
    items: { enum: streamableWires },
    uniqueItems: true,
    description:
      'The wires on which the server does not stream. A client that wants a stream gets the whole response as one.',
    default: [],
  },
  messagesUrl: {
    type: 'string',
    pattern: '^https?://[^?#]+$',
    description: 'Base URL of an endpoint in the shape of Anthropic, for the wire messages. Default: baseUrl.',
  },
  auth,
  headers: {
    ...texts(
      'Headers of every call, in addition to those of the wire. They take precedence over all others. ' +
        'Write a secret as a reference, such as ${NAME} or ${file:/run/secrets/name}.',
    ),
    propertyNames: { pattern: NAME },
    default: {},
  },
  query: texts('Query parameters of every call, e.g. api-version. They are added to those of baseUrl. Default: none.'),
  paths,
  body,
  streamOptions: {
    type: 'boolean',
    description:
      'false: the server refuses stream_options. It is not sent, and the usage of a stream is what the server ' +
      'reports without it, or else estimated.',
    default: true,
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
  thinkTags: {
    type: 'boolean',
    description:
      'The server leaves the reasoning at the start of the text, between <think> and </think>, as with DeepSeek R1 ' +
      'and no reasoning parser. Clients of other wires get it as reasoning. false: tags are text.',
    default: false,
  },
  correctUsage: {
    type: 'boolean',
    description:
      'Whether the usage of a native response is corrected where its figures contradict each other, and estimated ' +
      'where there is none. false: it is passed on as the vendor wrote it.',
    default: true,
  },
} satisfies Record<keyof Quirks, JsonObject>;

/** The keys of a server that can work without one. */
const optionalKeys: JsonObject = {
  apiKey: {
    ...apiKeySchema,
    description:
      'The API key, sent as a bearer token unless `auth` is set. Text, {file: path} or {exec: [program, argument]}. ' +
      'Empty: calls carry no key.',
    default: '',
  },
  apiKeys: {
    type: 'array',
    items: apiKeySchema,
    description: 'More API keys, used in rotation after `apiKey`.',
    default: [],
  },
};

interface SchemaParts {
  readonly title: string;
  readonly description: string;
  /** Absent: the setting `baseUrl` is required. */
  readonly baseUrl?: string;
  readonly needsKey: boolean;
  /** The defaults of the settings. */
  readonly quirks: Quirks;
}

/** `providers.<name>.config` */
export function createCompatibleSchema({
  title,
  description,
  baseUrl,
  needsKey,
  quirks: own,
}: SchemaParts): JsonObject {
  const preset = Object.entries(own).map(([name, value]): readonly [string, JsonObject] => [
    name,
    { ...quirks[name as keyof Quirks], default: value },
  ]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    description,
    type: 'object',
    additionalProperties: false,
    ...(baseUrl === undefined ? { required: ['baseUrl'] } : {}),
    properties: {
      baseUrl: {
        type: 'string',
        pattern: '^https?://',
        description:
          'Base URL with its version, as in the official SDK, e.g. http://127.0.0.1:8000/v1. ' +
          'Its query is sent with every call.',
        ...(baseUrl === undefined ? {} : { default: baseUrl }),
      },
      ...(needsKey ? createApiKeySchemas('The API key.') : optionalKeys),
      ...quirks,
      ...Object.fromEntries(preset),
    },
  };
}
