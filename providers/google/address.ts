import type { ApiKeys, UpstreamCall, UpstreamRequest } from '../../core/api/index.ts';
import { missingCredential } from '../../core/api/internal.ts';
import { resourceName } from './models.ts';
import { DEFAULT_BASE_URL, type GoogleOptions } from './schema.ts';

/** The API version that has every member of the wire. */
const VERSION = 'v1beta';

/** The path of a model below the version. */
export const pathOf = (model: string): string => resourceName(model).split('/').map(encodeURIComponent).join('/');

/**
 * Builds the addresses and headers of one resource: a model with its method, e.g. `:generateContent`, or a collection.
 * Everything that does not depend on the call is computed once.
 */
export function createAddress(
  { baseUrl = DEFAULT_BASE_URL }: GoogleOptions,
  keys: ApiKeys,
  resource: string,
  plain = '',
  streamed = plain,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname } = new URL(baseUrl);
  const base = `${pathname.replace(/\/+$/, '')}/${VERSION}/${resource}`;
  const paths = { plain: base + plain, streamed: base + streamed };
  const byCredential = keys.prepare((secret) => ({ 'content-type': 'application/json', 'x-goog-api-key': secret }));
  return ({ credential, headers, body, stream }) => {
    const own = byCredential.get(credential);
    if (own === undefined) throw missingCredential(credential);
    return { origin, path: stream ? paths.streamed : paths.plain, headers: { ...headers, ...own }, body };
  };
}
