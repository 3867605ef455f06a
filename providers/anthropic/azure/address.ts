import {
  GatewayError,
  type ApiKeys,
  type Headers,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../../core/api/index.ts';
import type { EntraTokens } from '../../../core/api/internal.ts';
import { CURRENT_VERSION } from '../messages/version.ts';

/** The id of the credential that is an identity. */
export const ENTRA = 'entra';

const fixed: Headers = { 'content-type': 'application/json', 'anthropic-version': CURRENT_VERSION };

/** The address and headers of calls to one path. What is the same for all calls is prepared once. */
export function createAddress(
  endpoint: string,
  keys: ApiKeys,
  tokens: EntraTokens | undefined,
  suffix: string,
): (call: UpstreamCall) => UpstreamRequest | Promise<UpstreamRequest> {
  const { origin, pathname } = new URL(endpoint);
  const path = `${pathname.replace(/\/+$/, '')}/anthropic${suffix}`;
  const byCredential = keys.prepare((secret) => ({ 'x-api-key': secret }));
  const write = (own: Headers, { headers, body }: UpstreamCall): UpstreamRequest => ({
    origin,
    path,
    headers: { ...fixed, ...headers, ...own },
    body,
  });
  return (call) => {
    if (call.credential === ENTRA && tokens !== undefined) {
      const token = tokens.get();
      return typeof token === 'string'
        ? write({ authorization: `Bearer ${token}` }, call)
        : token.then((loaded) => write({ authorization: `Bearer ${loaded}` }, call));
    }
    const own = byCredential.get(call.credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${call.credential}'.`);
    return write(own, call);
  };
}
