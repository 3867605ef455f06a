import {
  defineProvider,
  GatewayError,
  type Credential,
  type Headers,
  type EndpointWire,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../core/index.ts';
import { messagesCountCodec } from './messages/count-tokens.ts';
import { messagesCodec } from './messages/index.ts';
import { CURRENT_VERSION } from './messages/version.ts';
import { families } from './models.ts';
import { anthropicPrices } from './prices.ts';
import { readLimits } from './read-limits.ts';
import { DEFAULT_BASE_URL, schema, type AnthropicOptions } from './schema.ts';

interface Account extends Credential {
  readonly headers: Headers;
}

/** Everything about a key that stays the same from call to call. */
const createAccounts = ({ apiKey = '', apiKeys = [] }: Partial<AnthropicOptions>): readonly Account[] => {
  const keys = [apiKey, ...apiKeys].filter((key) => key !== '');
  if (keys.length === 0)
    return [
      {
        id: 'key-1',
        unavailable: 'apiKey is empty: set ANTHROPIC_API_KEY, or apiKey in the configuration of this provider.',
        headers: {},
      },
    ];
  return keys.map((key, index) => ({
    id: `key-${index + 1}`,
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': CURRENT_VERSION },
  }));
};

/** Claude models: https://platform.claude.com/docs/en/api/overview */
export default defineProvider<Partial<AnthropicOptions>>({
  kind: 'provider',
  apiVersion: 1,
  name: 'anthropic',
  schema,
  codecs: [messagesCodec, messagesCountCodec],
  models: families,
  prices: anthropicPrices,
  // `fallbacks` names models of the vendor. The others configure a proxy that can be behind `baseUrl`.
  refuses: ['fallbacks', 'fallback_models', 'models', 'provider', 'route', 'api_base', 'api_key', 'base_url'],
  init: {
    env: ['ANTHROPIC_API_KEY'],
    models: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5', 'claude-sonnet-4-6'].map((name) => ({ name })),
  },
  create: (options) => {
    const { origin, pathname } = new URL(options.baseUrl ?? DEFAULT_BASE_URL);
    const path = `${pathname.replace(/\/+$/, '')}/v1/messages`;
    const accounts = createAccounts(options);
    const headersOf = new Map(accounts.map(({ id, headers }) => [id, headers]));

    const createAddress =
      (path: string) =>
      ({ headers, body, credential }: UpstreamCall): UpstreamRequest => {
        const own = headersOf.get(credential);
        if (own === undefined)
          throw new GatewayError('upstream_credential', `The provider has no credential '${credential}'.`);
        return { origin, path, headers: { ...own, ...headers }, body };
      };
    const wires: readonly EndpointWire[] = [
      { operation: 'generate', wire: messagesCodec.wire, buildRequest: createAddress(path), readLimits },
      {
        operation: 'count-tokens',
        wire: messagesCountCodec.wire,
        buildRequest: createAddress(`${path}/count_tokens`),
        readLimits,
      },
    ];
    const endpoint = { wires, origin: { provider: 'anthropic', family: 'claude' } };
    return {
      credentials: accounts.map(({ id, unavailable }) => (unavailable === undefined ? { id } : { id, unavailable })),
      endpoint: () => endpoint,
    };
  },
});
