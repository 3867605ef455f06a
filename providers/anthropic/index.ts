import {
  createOfferList,
  defineProvider,
  readApiKeys,
  type EndpointWire,
  type ApiKeys,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../core/api/index.ts';
import { missingCredential, readPriceFile } from '../../core/api/internal.ts';
import { messagesCountCodec } from './messages/count-tokens.ts';
import { messagesCodec } from './messages/index.ts';
import { listQuery, readModelPage } from './model-list.ts';
import { families } from './models.ts';
import { readLimits } from './read-limits.ts';
import { DEFAULT_BASE_URL, schema, type AnthropicOptions } from './schema.ts';
import { CURRENT_VERSION } from './messages/version.ts';

/** Builds the address and headers of one path. Everything that does not depend on the call is computed once. */
function createAddress(
  { baseUrl = DEFAULT_BASE_URL }: AnthropicOptions,
  keys: ApiKeys,
  suffix: string,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '') + suffix;
  const byCredential = keys.prepare((secret) => ({
    'x-api-key': secret,
    'content-type': 'application/json',
    'anthropic-version': CURRENT_VERSION,
  }));
  return ({ headers, body, credential }) => {
    const own = byCredential.get(credential);
    if (own === undefined) throw missingCredential(credential);
    return { origin, path, headers: { ...own, ...headers }, body };
  };
}

/** Claude models: https://platform.claude.com/docs/en/api/overview */
export default defineProvider<AnthropicOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'anthropic',
  schema,
  codecs: [messagesCodec, messagesCountCodec],
  models: families,
  get prices() {
    return readPriceFile(new URL('./prices.yaml', import.meta.url));
  },
  // `fallbacks` names models of the vendor. The others configure a proxy that can be behind `baseUrl`.
  refuses: ['fallbacks', 'fallback_models', 'models', 'provider', 'route', 'api_base', 'api_key', 'base_url'],
  init: {
    env: ['ANTHROPIC_API_KEY'],
    models: [
      { name: 'claude-sonnet-5-5', role: 'strong' },
      { name: 'claude-opus-5-5' },
      { name: 'claude-haiku-5-5', role: 'fast' },
      { name: 'claude-sonnet-4-6' },
      // Agents and the current SDKs request it by themselves, for small tasks.
      { name: 'claude-haiku-4-5-20251001' },
    ],
  },
  create: (options, services) => {
    const keys = readApiKeys(options, services);
    const { baseUrl = DEFAULT_BASE_URL, threads = 'auto' } = options;
    // Without threads, the server would answer to the new messages alone.
    const stateless = threads === 'off' || (threads === 'auto' && new URL(baseUrl).origin !== DEFAULT_BASE_URL);
    const shared = { requestIdHeader: 'request-id', readLimits, stateless };
    const wires: readonly EndpointWire[] = [
      {
        ...shared,
        operation: 'generate',
        wire: messagesCodec.wire,
        buildRequest: createAddress(options, keys, '/v1/messages'),
      },
      {
        ...shared,
        operation: 'count-tokens',
        wire: messagesCountCodec.wire,
        buildRequest: createAddress(options, keys, '/v1/messages/count_tokens'),
      },
    ];
    const endpoint = { wires, origin: { provider: 'anthropic', family: 'claude' } };
    const address = createAddress(options, keys, '/v1/models');
    return {
      credentials: keys.credentials,
      endpoint: () => endpoint,
      modelList: createOfferList({ address, query: listQuery, read: readModelPage }),
    };
  },
});
