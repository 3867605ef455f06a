import type { Credential, Headers, UpstreamCall, UpstreamRequest } from '../../core/api/index.ts';
import { readApiKeys } from '../../core/api/index.ts';
import { DEFAULT_BASE_URL, type OllamaOptions } from './schema.ts';

/** The server of a user has no keys: its credential is `none`. */
const withoutKey = { credentials: [{ id: 'none' }], secrets: new Map<string, string>() };

/** The credentials, and what builds the address and the headers of one path. */
export function createAddress(options: OllamaOptions): {
  readonly credentials: readonly Credential[];
  readonly at: (suffix: string) => (call: UpstreamCall) => UpstreamRequest;
} {
  const { baseUrl = DEFAULT_BASE_URL, apiKey = '', apiKeys = [] } = options;
  const hasKey = [apiKey, ...apiKeys].some((key) => key.trim() !== '');
  const { credentials, secrets } = hasKey ? readApiKeys({ apiKey, apiKeys }) : withoutKey;
  const { origin, pathname } = new URL(baseUrl);
  const headersOf = (secret: string | undefined): Headers => ({
    'content-type': 'application/json',
    ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
  });
  const byCredential = new Map(credentials.map(({ id }) => [id, headersOf(secrets.get(id))]));
  return {
    credentials,
    at: (suffix) => {
      const path = pathname.replace(/\/+$/, '') + suffix;
      return ({ credential, headers, body }) => ({
        origin,
        path,
        headers: { ...headers, ...byCredential.get(credential) },
        body,
      });
    },
  };
}
