import {
  defineProvider,
  readApiKeys,
  type Credential,
  type Endpoint,
  type EndpointWire,
  type ApiKeys,
  type Headers,
  type UpstreamCall,
  type UpstreamRequest,
} from '../../../core/api/index.ts';
import { missingCredential, readPriceFile } from '../../../core/api/internal.ts';
import { openEntra, type EntraIdentity } from '../../identity/entra/tokens.ts';
import { messagesCountCodec } from '../messages/count-tokens.ts';
import { messagesCodec } from '../messages/index.ts';
import { families } from '../models.ts';
import { readLimits } from '../read-limits.ts';
import { azureAnthropicSchema, check, SCOPE, type AzureAnthropicOptions } from './schema.ts';
import { CURRENT_VERSION } from '../messages/version.ts';

const fixed: Headers = { 'content-type': 'application/json', 'anthropic-version': CURRENT_VERSION };

/** The address and headers of calls to one path. What is the same for all calls is prepared once. */
function createAddress(
  endpoint: string,
  keys: ApiKeys,
  identity: EntraIdentity | undefined,
  suffix: string,
): (call: UpstreamCall) => UpstreamRequest {
  const { origin, pathname } = new URL(endpoint);
  const path = `${pathname.replace(/\/+$/, '')}/anthropic${suffix}`;
  const byKey = keys.prepare((secret): Headers => ({ 'x-api-key': secret }));
  return ({ credential, headers, body }) => {
    const own =
      credential === identity?.credential.id ? { authorization: `Bearer ${identity.token}` } : byKey.get(credential);
    if (own === undefined) throw missingCredential(credential);
    return { origin, path, headers: { ...fixed, ...headers, ...own }, body };
  };
}

/**
 * Claude models in Microsoft Foundry, at Anthropic's prices:
 * https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry
 */
export default defineProvider<AzureAnthropicOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'azure-anthropic',
  schema: azureAnthropicSchema,
  models: families,
  get prices() {
    return readPriceFile(new URL('../prices.yaml', import.meta.url));
  },
  refuses: ['fallbacks', 'fallback_models', 'models', 'provider', 'route', 'api_base', 'api_key', 'base_url'],
  check,
  create: (options, services) => {
    const { endpoint, deployments = {}, entra } = options;
    const keys = readApiKeys(options, services);
    const identity = entra === undefined ? undefined : openEntra(entra, SCOPE, services);
    const identities: readonly Credential[] = identity === undefined ? [] : [identity.credential];
    const hasKey = keys.credentials.some(({ unavailable }) => unavailable === undefined);
    // Responses have Anthropic's `request-id` too, but not those with which Azure itself refuses a call.
    const common = { readLimits, stateless: true, requestIdHeader: 'apim-request-id' };
    const addressOf = (suffix: string) => createAddress(endpoint, keys, identity, suffix);
    const generate = { ...common, buildRequest: addressOf('/v1/messages') };
    const count = { ...common, buildRequest: addressOf('/v1/messages/count_tokens') };
    return {
      credentials: [...(hasKey || identities.length === 0 ? keys.credentials : []), ...identities],
      endpoint: (model): Endpoint => {
        const deployment = Object.hasOwn(deployments, model) ? deployments[model] : undefined;
        const named: Pick<EndpointWire, 'edits'> =
          deployment === undefined ? {} : { edits: () => [{ member: 'model', value: deployment }] };
        return {
          origin: { provider: 'azure-anthropic', family: 'claude' },
          wires: [
            { operation: 'generate', wire: messagesCodec.wire, ...generate, ...named },
            { operation: 'count-tokens', wire: messagesCountCodec.wire, ...count, ...named },
          ],
        };
      },
    };
  },
});
