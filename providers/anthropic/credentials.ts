import type { Credential, Headers } from '../../core/index.ts';
import { CURRENT_VERSION } from './messages/version.ts';
import type { AnthropicOptions } from './schema.ts';

export interface Keys {
  readonly credentials: readonly Credential[];
  /** The headers of each credential, by its id. */
  readonly headers: ReadonlyMap<string, Headers>;
}

const unavailable = 'apiKey is empty: set ANTHROPIC_API_KEY, or apiKey in the configuration of this provider.';

/** Credentials `key-1`, `key-2` and so on, without empty keys; one unavailable credential if there is no key. */
export function readKeys({ apiKey = '', apiKeys = [] }: Partial<AnthropicOptions>): Keys {
  const secrets = [apiKey, ...apiKeys].filter((key) => key !== '');
  if (secrets.length === 0) return { credentials: [{ id: 'key-1', unavailable }], headers: new Map([['key-1', {}]]) };
  const keys = secrets.map((secret, index) => ({ id: `key-${index + 1}`, secret }));
  return {
    credentials: keys.map(({ id }) => ({ id })),
    headers: new Map(
      keys.map(({ id, secret }) => [
        id,
        { 'x-api-key': secret, 'content-type': 'application/json', 'anthropic-version': CURRENT_VERSION },
      ]),
    ),
  };
}
