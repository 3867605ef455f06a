import {
  GatewayError,
  type ApiKeys,
  type Headers,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../core/api/index.ts';
import { DEFAULT_BASE_URL, type OpenAiOptions } from './schema.ts';

const fixedHeaders = ({ organization = '', project = '' }: OpenAiOptions): Headers => ({
  'content-type': 'application/json',
  ...(organization === '' ? {} : { 'openai-organization': organization }),
  ...(project === '' ? {} : { 'openai-project': project }),
});

/** The address and headers of calls to one path. What is the same for all calls is prepared once. */
export function createAddress(
  options: OpenAiOptions,
  keys: ApiKeys,
  path: string,
): (call: UpstreamCall) => UpstreamRequest {
  const base = new URL(options.baseUrl ?? DEFAULT_BASE_URL);
  const target = { origin: base.origin, path: base.pathname.replace(/\/+$/, '') + path + base.search };
  const fixed = fixedHeaders(options);
  const byCredential = keys.prepare((secret) => ({ ...fixed, authorization: `Bearer ${secret}` }));
  return ({ credential, headers, body }) => {
    const own = byCredential.get(credential);
    if (own === undefined)
      throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
    return { ...target, headers: { ...headers, ...own }, body };
  };
}
