import {
  type Credential,
  type Headers,
  type Services,
  type UpstreamCall,
  type UpstreamRequest,
  readApiKeys,
} from '../../core/api/index.ts';
import { DEFAULT_BASE_URL, type OllamaOptions } from './schema.ts';

const fixed: Headers = { 'content-type': 'application/json' };

/** The server of a user has no keys: its credential is `none`. */
const withoutKey: readonly Credential[] = [{ id: 'none' }];

const hasKey = ({ apiKey = '', apiKeys = [] }: OllamaOptions): boolean =>
  [apiKey, ...apiKeys].some((key) => typeof key !== 'string' || key.trim() !== '');

/** The credentials, and what builds the address and the headers of one path. */
export function createAddress(
  options: OllamaOptions,
  services: Services,
): {
  readonly credentials: readonly Credential[];
  readonly at: (suffix: string) => (call: UpstreamCall) => UpstreamRequest;
} {
  const { origin, pathname } = new URL(options.baseUrl ?? DEFAULT_BASE_URL);
  const keys = hasKey(options) ? readApiKeys(options, services) : undefined;
  const byCredential = keys?.prepare((secret): Headers => ({ ...fixed, authorization: `Bearer ${secret}` }));
  return {
    credentials: keys?.credentials ?? withoutKey,
    at: (suffix) => {
      const path = pathname.replace(/\/+$/, '') + suffix;
      return ({ credential, headers, body }) => ({
        origin,
        path,
        headers: { ...headers, ...(byCredential?.get(credential) ?? fixed) },
        body,
      });
    },
  };
}
