import { GatewayError, type UpstreamCall, type UpstreamRequest } from '../../core/index.ts';
import type { Keys } from './credentials.ts';
import { DEFAULT_BASE_URL, type AnthropicOptions } from './schema.ts';

/** Builds the address and headers of one path. Everything that does not depend on the call is computed once. */
export function createAddress(
  { baseUrl = DEFAULT_BASE_URL }: Partial<AnthropicOptions>,
  keys: Keys,
  suffix: string,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '') + suffix;
  return ({ headers, body, credential }) => {
    const own = keys.headers.get(credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { origin, path, headers: { ...own, ...headers }, body };
  };
}
