import type { Credential } from '../../core/index.ts';
import type { GoogleOptions } from './schema.ts';

export interface Keys {
  readonly credentials: readonly Credential[];
  /** By the id of the credential. */
  readonly secrets: ReadonlyMap<string, string>;
}

const unavailable = 'no API key is set: give this provider config.apiKey (or config.apiKeys) in gateway.yaml';

/**
 * Credentials `key-1`, `key-2` and so on, starting with `apiKey`. An empty key keeps its position, so that ids do not
 * shift when a variable is not set.
 */
export function readKeys({ apiKey = '', apiKeys = [] }: GoogleOptions): Keys {
  const listed = apiKey === '' && apiKeys.length > 0 ? apiKeys : [apiKey, ...apiKeys];
  const named = listed.map((secret, index) => ({ id: `key-${index + 1}`, secret: secret.trim() }));
  return {
    credentials: named.map(({ id, secret }) => (secret === '' ? { id, unavailable } : { id })),
    secrets: new Map(named.map(({ id, secret }) => [id, secret])),
  };
}
