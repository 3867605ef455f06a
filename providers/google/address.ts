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

/** The address and headers of calls to the paths of `plain` and `streamed`. */
const createAddressOf = (
  origin: string,
  keys: ApiKeys,
  { plain, streamed }: Methods,
): ((call: UpstreamCall) => UpstreamRequest) => {
  const byCredential = keys.prepare((secret) => ({ 'content-type': 'application/json', 'x-goog-api-key': secret }));
  return ({ credential, headers, body, stream }) => {
    const own = byCredential.get(credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { origin, path: stream ? streamed : plain, headers: { ...headers, ...own }, body };
  };
};

const baseOf = ({ baseUrl = DEFAULT_BASE_URL }: GoogleOptions): { readonly origin: string; readonly path: string } => {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, path: `${pathname.replace(/\/+$/, '')}/${VERSION}` };
};

/** Builds the addresses and headers of one model. Everything that does not depend on the call is computed once. */
export function createAddress(
  options: GoogleOptions,
  keys: ApiKeys,
  model: string,
  methods: Methods,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, path } = baseOf(options);
  const resource = `${path}/${pathOf(model)}`;
  return createAddressOf(origin, keys, { plain: resource + methods.plain, streamed: resource + methods.streamed });
}

/** The address of a collection, whose path has no model. */
const createCollectionAddress =
  (collection: string) =>
  (options: GoogleOptions, keys: ApiKeys): ((call: UpstreamCall) => UpstreamRequest) => {
    const { origin, path } = baseOf(options);
    const whole = `${path}/${collection}`;
    return createAddressOf(origin, keys, { plain: whole, streamed: whole });
  };

/** The address of the list of models. */
export const createListAddress = createCollectionAddress('models');

/** The address of interactions. The body has the model, and says whether the response is streamed. */
export const createInteractionsAddress = createCollectionAddress('interactions');
