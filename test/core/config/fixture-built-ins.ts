import { isObject, type AnyCodec } from '../../../core/api/codec.ts';
import type { BuiltIns } from '../../../core/extensions/extension.ts';

const unused = (): never => {
  throw new Error('never called while a configuration is loaded');
};
const client = { decodeRequest: unused, encodeResponse: unused, encodeError: unused };
const upstream = { limits: {}, encodeRequest: unused, decodeResponse: unused, decodeError: unused };

const codecs: readonly AnyCodec[] = [
  { operation: 'generate', wire: 'chat-completions', client, upstream },
  { operation: 'generate', wire: 'messages', client, upstream },
  { operation: 'count-tokens', wire: 'messages', client },
  { operation: 'embed', wire: 'embeddings', client, upstream },
  { operation: 'generate', wire: 'converse', upstream },
];

/** One provider and two plugins, enough for valid and invalid configurations. */
export const builtIns: BuiltIns = {
  provider: {
    vendor: {
      kind: 'provider',
      apiVersion: 1,
      name: 'vendor',
      prices: [
        { models: ['shipped'], price: { input: 1, output: 2 }, page: 'https://vendor.test/prices', seen: '2026-01-01' },
        {
          models: ['searching'],
          price: { input: 1, output: 2, units: { webSearches: 0.01 } },
          page: 'https://vendor.test/prices',
          seen: '2026-01-01',
        },
      ],
      codecs,
      schema: {
        type: 'object',
        properties: {
          apiKey: { type: 'string', description: 'The key.', pattern: '^sk-', examples: ['sk-…'] },
          baseUrl: { type: 'string', description: 'Where it lives.', default: 'https://vendor.test' },
          retries: { type: 'integer', description: 'How often.', minimum: 0, maximum: 3, default: 1 },
          region: { description: 'Where.', enum: ['europe', 'america'] },
          proxy: { $ref: '#/definitions/address' },
        },
        additionalProperties: false,
        definitions: {
          address: {
            type: 'object',
            description: 'An address.',
            properties: { host: { type: 'string', description: 'Its host.' } },
            required: ['host'],
            additionalProperties: false,
          },
        },
      },
      create: () => ({
        credentials: [{ id: 'none' }],
        endpoint: () => ({
          wires: codecs.flatMap(({ operation, wire, upstream }) =>
            upstream === undefined || wire === 'converse' ? [] : [{ operation, wire, buildRequest: unused }],
          ),
          origin: { provider: 'vendor', family: 'vendor' },
        }),
      }),
    },
  },
  plugin: {
    guard: {
      kind: 'plugin',
      apiVersion: 1,
      name: 'guard',
      schema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => ({}),
    },
    counter: {
      kind: 'plugin',
      apiVersion: 1,
      name: 'counter',
      enforces: ['limits'],
      schema: {
        type: 'object',
        properties: { window: { type: 'string', description: 'How long.', default: '1m' } },
        additionalProperties: false,
      },
      check: (options) =>
        isObject(options) && options['window'] === 'never'
          ? [{ path: ['window'], message: 'window must come to an end.' }]
          : [],
      create: () => ({}),
    },
  },
};

export const environment = {
  SECRET: 'sk-very-secret',
  WORD: 'very-secret-word',
  PORT: '9001',
  FLAG: 'true',
  EMPTY: '',
  LONG: 'very-secret-Zp4w8Q2nV7xK1mB6tR9yL3cH5jD0fG7s',
  URL: 'http://very-secret.internal/',
};
