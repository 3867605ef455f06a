import { DURATION_PATTERN, type JsonObject } from '../../core/api/index.ts';

export const defaults = {
  failures: { limit: 20, per: '1m', block: '1m' },
  remote: { timeout: '2s', cache: '10s', grace: '1h' },
} as const;

const duration = (description: string, value: string): JsonObject => ({
  description,
  type: 'string',
  pattern: DURATION_PATTERN,
  examples: ['30s', '5m'],
  default: value,
});

const failures: JsonObject = {
  description:
    'How many wrong keys an address may present before further wrong keys get 429 for a while. Valid keys are always ' +
    'accepted. false: no limit.',
  type: ['object', 'boolean'],
  default: true,
  properties: {
    limit: {
      description: 'Number of wrong keys that blocks the address.',
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: defaults.failures.limit,
    },
    per: duration('Window in which wrong keys are counted, from the first one; 1s to 1d.', defaults.failures.per),
    block: duration('For how long the address is blocked; 1s to 1d.', defaults.failures.block),
  },
  additionalProperties: false,
};

const remote: JsonObject = {
  description:
    'A service that checks keys which are neither in the configuration nor in the database. It receives the SHA-256 ' +
    'of a key, never the key. Default: none.',
  type: 'object',
  properties: {
    url: {
      description: 'URL of the service, called with POST.',
      type: 'string',
      pattern: '^https?://',
      examples: ['https://keys.internal/check'],
    },
    headers: {
      description: 'Headers of every call. Use variables for secrets: authorization: "Bearer ${KEY_SERVICE_TOKEN}".',
      type: 'object',
      additionalProperties: { type: 'string' },
      default: {},
    },
    timeout: duration('Timeout of a call, 10ms to 1m; then the service counts as down.', defaults.remote.timeout),
    cache: duration(
      'How long a response is cached: a revocation takes effect within this time.',
      defaults.remote.cache,
    ),
    grace: duration('How long a key that it confirmed stays valid while it is down.', defaults.remote.grace),
  },
  required: ['url'],
  additionalProperties: false,
};

/** The keys themselves are configured under `organizations` or stored in the database. */
export const schema: JsonObject = {
  type: 'object',
  description: 'Accepts the keys of the configuration, of the database and of a remote key service.',
  properties: { failures, remote },
  additionalProperties: false,
};
