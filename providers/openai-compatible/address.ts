import type { Headers, UpstreamCall, UpstreamRequest } from '../../core/index.ts';
import type { Keys } from './credentials.ts';
import type { CompatibleOptions } from './schema.ts';

const lowerNames = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The address and headers of calls to one path. What is the same for all calls is prepared once. */
export function createAddress(
  { baseUrl, headers: extra = {} }: CompatibleOptions,
  { credentials, secrets }: Keys,
  path: string,
): (call: UpstreamCall) => UpstreamRequest {
  const base = new URL(baseUrl);
  const target = { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + path + base.search };
  const headersOf = (id: string): Headers => {
    const secret = secrets.get(id);
    return {
      'content-type': 'application/json',
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...lowerNames(extra),
    };
  };
  const byCredential = new Map(credentials.map(({ id }) => [id, headersOf(id)]));
  return ({ credential, headers, body }) => ({
    ...target,
    headers: { ...headers, ...byCredential.get(credential) },
    body,
  });
}
