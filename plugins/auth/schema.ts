import { DURATION_PATTERN, type JsonObject } from '../../core/index.ts';

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
    'How many wrong keys an address may present before further wrong ones get 429 for a while. Good keys are never refused for it. false: as many as it likes.',
  type: ['object', 'boolean'],
  default: true,
  properties: {
    limit: {
      description: 'Wrong keys; the last of them blocks.',
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: defaults.failures.limit,
    },
    per: duration('Within how long, from the first of them; 1s to 1d.', defaults.failures.per),
    block: duration('For how long the address is blocked; 1s to 1d.', defaults.failures.block),
  },
  additionalProperties: false,
};

const remote: JsonObject = {
  description:
    'A service that is asked about keys which neither the configuration nor the database knows. It is sent the SHA-256 of a key, never the key. Left out: none is asked.',
  type: 'object',
  properties: {
    url: {
      description: 'Where it is asked, by POST.',
      type: 'string',
      pattern: '^https?://',
      examples: ['https://keys.internal/check'],
    },
    headers: {
      description: 'Sent with every question, best by variables: authorization: "Bearer ${KEY_SERVICE_TOKEN}".',
      type: 'object',
      additionalProperties: { type: 'string' },
      default: {},
    },
    timeout: duration('For its whole answer, 10ms to 1m; then it counts as down.', defaults.remote.timeout),
    cache: duration('How long an answer holds: a revocation is felt within this time.', defaults.remote.cache),
    grace: duration('How long a key that it confirmed goes on while it is down.', defaults.remote.grace),
  },
  required: ['url'],
  additionalProperties: false,
};

/** Keys themselves stand under `organizations` and in the database. */
export const schema: JsonObject = {
  type: 'object',
  description: 'Accepts the keys of the configuration, of the database and of a remote key service.',
  properties: { failures, remote },
  additionalProperties: false,
};
