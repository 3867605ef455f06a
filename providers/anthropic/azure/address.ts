import {
  GatewayError,
  type ApiKeys,
  type Headers,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../../core/api/index.ts';
import type { EntraIdentity } from '../../identity/entra/tokens.ts';
import { CURRENT_VERSION } from '../messages/version.ts';

const fixed: Headers = { 'content-type': 'application/json', 'anthropic-version': CURRENT_VERSION };

/** The address and headers of calls to one path. What is the same for all calls is prepared once. */
export function createAddress(
  endpoint: string,
  keys: ApiKeys,
  identity: EntraIdentity | undefined,
  suffix: string,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname } = new URL(endpoint);
  const path = `${pathname.replace(/\/+$/, '')}/anthropic${suffix}`;
  const byKey = keys.prepare((secret): Headers => ({ 'x-api-key': secret }));
  return ({ credential, headers, body }) => {
    const own =
      credential === identity?.credential.id ? { authorization: `Bearer ${identity.token}` } : byKey.get(credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { origin, path, headers: { ...fixed, ...headers, ...own }, body };
  };
}
