import { createHmac, randomBytes } from 'node:crypto';
import type { JsonObject } from '../canonical/wire.ts';
import type { Credential } from '../contracts/extension.ts';

/** The settings of a provider with API keys. */
export interface ApiKeySettings {
  readonly apiKey?: string;
  readonly apiKeys?: readonly string[];
}

/** The credentials of a provider with API keys, and their secrets. */
export interface ApiKeys {
  readonly credentials: readonly Credential[];
  /** By the id of the credential. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The JSON Schemas of {@link ApiKeySettings}. @param apiKey describes how the key is sent */
export const apiKeySchemas = (apiKey: string): JsonObject => ({
  apiKey: {
    type: 'string',
    description: `${apiKey} While it is empty, the models of this provider are unavailable.`,
    default: '',
  },
  apiKeys: {
    type: 'array',
    items: { type: 'string' },
    description: 'More API keys, used in rotation after `apiKey`. They appear in logs as key-1, key-2 and so on.',
    default: [],
  },
});

/** Versions of different processes differ, so that they say nothing about the secret. */
const processKey = randomBytes(32);

/** The `version` of a credential with this secret: the same for the same secret, as long as the process runs. */
export const versionSecret = (secret: string): string =>
  createHmac('sha256', processKey).update(secret).digest('base64url');

const unavailable = 'no API key is set: give this provider config.apiKey (or config.apiKeys) in gateway.yaml';

/**
 * Names the keys `key-1`, `key-2`, …, `apiKey` first. An empty key keeps its number, so that ids do not shift when an
 * environment variable is not set; its credential is unavailable.
 */
export function readApiKeys({ apiKey = '', apiKeys = [] }: ApiKeySettings): ApiKeys {
  const listed = apiKey === '' && apiKeys.length > 0 ? apiKeys : [apiKey, ...apiKeys];
  const named = listed.map((secret, index) => ({ id: `key-${index + 1}`, secret: secret.trim() }));
  return {
    credentials: named.map(({ id, secret }) =>
      secret === '' ? { id, unavailable } : { id, version: versionSecret(secret) },
    ),
    secrets: new Map(named.map(({ id, secret }) => [id, secret])),
  };
}
