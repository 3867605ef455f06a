import type { ApiKeys, Headers, UpstreamCall, UpstreamRequest } from '../../../core/api/index.ts';
import { missingCredential } from '../../../core/api/internal.ts';
import type { EntraIdentity } from '../../identity/entra/tokens.ts';
import { versionAt } from './paths.ts';
import type { AzureOptions } from './schema.ts';

const fixed: Headers = { 'content-type': 'application/json' };

/** The address and headers of calls to one path. What is the same for all calls is prepared once. */
export function createAddress(
  endpoint: string,
  options: AzureOptions,
  keys: ApiKeys,
  identity: EntraIdentity | undefined,
  path: string,
): (call: UpstreamCall) => UpstreamRequest {
  const base = new URL(endpoint);
  const version = versionAt(path, options);
  const query = version === '' ? '' : `?api-version=${encodeURIComponent(version)}`;
  const target = { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + path + query };
  const byKey = keys.prepare((secret): Headers => ({ 'api-key': secret }));
  return ({ credential, headers, body }) => {
    const own =
      credential === identity?.credential.id ? { authorization: `Bearer ${identity.token}` } : byKey.get(credential);
    if (own === undefined) throw missingCredential(credential);
    return { ...target, headers: { ...headers, ...fixed, ...own }, body };
  };
}
