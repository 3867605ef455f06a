import type { Credential } from '../../core/index.ts';
import type { OpenAiOptions } from './schema.ts';

export interface Keys {
  readonly credentials: readonly Credential[];
  /** By credential id. */
  readonly secrets: ReadonlyMap<string, string>;
}

const unavailable = 'no API key is set: give this provider config.apiKey (or config.apiKeys) in gateway.yaml';

/**
 * Names the keys `key-1`, `key-2`, …, `apiKey` first. An empty key keeps its number, so that ids do not shift when an
 * environment variable is not set.
 */
export function readKeys({ apiKey = '', apiKeys = [] }: OpenAiOptions): Keys {
  const listed = apiKey === '' && apiKeys.length > 0 ? apiKeys : [apiKey, ...apiKeys];
  const named = listed.map((secret, index) => ({ id: `key-${index + 1}`, secret: secret.trim() }));
  return {
    credentials: named.map(({ id, secret }) => (secret === '' ? { id, unavailable } : { id })),
    secrets: new Map(named.map(({ id, secret }) => [id, secret])),
  };
}
