import {
  GatewayError,
  type ApiKeys,
  type Headers,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../../core/api/index.ts';
import type { EntraTokens } from '../../../core/api/internal.ts';
import { versionOf } from './paths.ts';
import type { AzureOptions } from './schema.ts';

/** The id of the credential that is an identity. */
export const ENTRA = 'entra';

const JSON_BODY: Headers = { 'content-type': 'application/json' };

/** The address and headers of calls to one path. What is the same for all calls is prepared once. */
export function createAddress(
  endpoint: string,
  options: AzureOptions,
  keys: ApiKeys,
  tokens: EntraTokens | undefined,
  path: string,
): (call: UpstreamCall) => UpstreamRequest | Promise<UpstreamRequest> {
  const base = new URL(endpoint);
  const version = versionOf(options);
  const query = version === '' ? '' : `?api-version=${encodeURIComponent(version)}`;
  const target = { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + path + query };
  const byCredential = keys.prepare((secret): Headers => ({ ...JSON_BODY, 'api-key': secret }));
  const withToken = ({ headers, body }: UpstreamCall, token: string): UpstreamRequest => ({
    ...target,
    headers: { ...headers, ...JSON_BODY, authorization: `Bearer ${token}` },
    body,
  });
  return (call) => {
    const { credential, headers, body } = call;
    if (credential === ENTRA && tokens !== undefined) {
      const token = tokens.get();
      return typeof token === 'string' ? withToken(call, token) : token.then((loaded) => withToken(call, loaded));
    }
    const own = byCredential.get(credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { ...target, headers: { ...headers, ...own }, body };
  };
}
