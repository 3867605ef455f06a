import type { Headers } from '../../canonical/wire.ts';
import type { UpstreamCall } from '../../contracts/provider.ts';
import type { UpstreamRequest } from '../../contracts/extension.ts';
import { missingCredential, type ApiKeys } from './api-keys.ts';

/**
 * The address and headers of calls to one path, for vendors with API keys. What is the same for all calls is prepared
 * once per secret; headers of the call that have the same name are replaced.
 * @param url the base URL of the settings; its query is kept
 * @param headersOf the headers that every call of the key has
 * @example
 * const buildRequest = createKeyAddress('https://api.acme.example', '/v1/chat', keys, (key) => ({ 'x-acme-key': key }));
 */
export function createKeyAddress(
  url: string,
  path: string,
  keys: ApiKeys,
  headersOf: (secret: string) => Headers,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname, search } = new URL(url);
  const target = { origin, path: pathname.replace(/\/+$/, '') + path + search };
  const byCredential = keys.prepare((secret) => ({ 'content-type': 'application/json', ...headersOf(secret) }));
  return ({ credential, headers, body }) => {
    const own = byCredential.get(credential);
    if (own === undefined) throw missingCredential(credential);
    return { ...target, headers: { ...headers, ...own }, body };
  };
}
