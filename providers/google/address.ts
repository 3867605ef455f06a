import { GatewayError, type ApiKeys, type UpstreamCall, type UpstreamRequest } from '../../core/api/index.ts';
import { resourceName } from './resource-name.ts';
import { DEFAULT_BASE_URL, type GoogleOptions } from './schema.ts';

/** The API version that has every member of the wire. */
const VERSION = 'v1beta';

/** The method suffixes of plain and streamed calls, e.g. `:generateContent`. */
export interface Methods {
  readonly plain: string;
  readonly streamed: string;
}

const pathOf = (model: string): string => resourceName(model).split('/').map(encodeURIComponent).join('/');

/** Builds the addresses and headers of one model. Everything that does not depend on the call is computed once. */
export function createAddress(
  { baseUrl = DEFAULT_BASE_URL }: GoogleOptions,
  keys: ApiKeys,
  model: string,
  methods: Methods,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname } = new URL(baseUrl);
  const path = `${pathname.replace(/\/+$/, '')}/${VERSION}/${pathOf(model)}`;
  const plain = path + methods.plain;
  const streamed = path + methods.streamed;
  const byCredential = keys.prepare((secret) => ({ 'content-type': 'application/json', 'x-goog-api-key': secret }));
  return ({ credential, headers, body, stream }) => {
    const own = byCredential.get(credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { origin, path: stream ? streamed : plain, headers: { ...headers, ...own }, body };
  };
}
