import { GatewayError, type ApiKeys, type UpstreamCall, type UpstreamRequest } from '../../core/api/index.ts';
import { DEFAULT_BASE_URL, type MistralOptions } from './schema.ts';

/** Builds the address and headers of one path. Everything that does not depend on the call is computed once. */
export function createAddress(
  { baseUrl = DEFAULT_BASE_URL }: MistralOptions,
  keys: ApiKeys,
  suffix: string,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '') + suffix;
  const byCredential = keys.prepare((secret) => ({
    'authorization': `Bearer ${secret}`,
    'content-type': 'application/json',
  }));
  return ({ headers, body, credential }) => {
    const own = byCredential.get(credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { origin, path, headers: { ...headers, ...own }, body };
  };
}
