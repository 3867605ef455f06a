import {
  createKeyAddress,
  createOfferList,
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
  type FailureClass,
} from '../../core/api/index.ts';
import { readPriceFile } from '../../core/api/internal.ts';
import { createChatEdits, editEmbeddings, editModerations, transcriptionTraits } from './edits.ts';
import { families, takesReasoning } from './models.ts';
import { readModelPage } from './model-list.ts';
import { DEFAULT_BASE_URL, schema, type MistralOptions } from './schema.ts';
import { isObject, lookUp, readText, type ErrorReply, createLimitReader } from '../../core/api/codec.ts';

/** The limits of a minute, in each response: https://docs.mistral.ai/admin/user-management-finops/tier */
const readLimits = createLimitReader([
  {
    unit: 'requests',
    limit: 'x-ratelimit-limit-req-minute',
    remaining: 'x-ratelimit-remaining-req-minute',
  },
  {
    unit: 'tokens',
    limit: 'x-ratelimit-limit-tokens-minute',
    remaining: 'x-ratelimit-remaining-tokens-minute',
  },
]);

/** Types of errors whose status is that of a caller's fault, or too general. */
const failures: Readonly<Record<string, FailureClass>> = {
  invalid_model: 'model-gone',
  model_not_found: 'model-gone',
  service_tier_capacity_exceeded: 'overloaded',
  rate_limited: 'rate-limit',
  unreachable_backend: 'transient',
};

/** `{"object":"error","message":"Invalid model: …","type":"invalid_model","code":"1500"}` */
const classify = ({ body }: ErrorReply): FailureClass | undefined =>
  isObject(body) ? lookUp(failures, readText(body['type'])) : undefined;

/** Models of Mistral, which has a dialect of OpenAI's wires: https://docs.mistral.ai/api */
export default defineProvider<MistralOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'mistral',
  schema,
  models: families,
  get prices() {
    return readPriceFile(new URL('./prices.yaml', import.meta.url));
  },
  // They configure a proxy that can be behind `baseUrl`.
  refuses: ['models', 'fallbacks', 'provider', 'route', 'api_base', 'api_key', 'base_url'],
  init: {
    env: ['MISTRAL_API_KEY'],
    models: [
      { name: 'mistral-medium-latest', role: 'strong' },
      { name: 'mistral-small-latest', role: 'fast' },
    ],
  },
  create: (options, services) => {
    const keys = readApiKeys(options, services);
    const { baseUrl = DEFAULT_BASE_URL } = options;
    const addressOf = (path: string) =>
      createKeyAddress(baseUrl, path, keys, (key) => ({ authorization: `Bearer ${key}` }));
    const shared = { readLimits, classify, requestIdHeader: 'mistral-correlation-id' };
    const chat = {
      ...shared,
      operation: 'generate',
      wire: 'chat-completions',
      capMember: 'max_tokens',
      effortMember: 'reasoning_effort',
      refusesUsageOption: true,
      buildRequest: addressOf('/chat/completions'),
    } as const;
    const embed: EndpointWire = {
      ...shared,
      operation: 'embed',
      wire: 'embeddings',
      edits: editEmbeddings,
      buildRequest: addressOf('/embeddings'),
    };
    const moderate: EndpointWire = {
      ...shared,
      operation: 'moderate',
      wire: 'moderations',
      edits: editModerations,
      buildRequest: addressOf('/moderations'),
    };
    const transcribe: EndpointWire = {
      ...shared,
      operation: 'transcribe',
      wire: 'transcriptions',
      ...transcriptionTraits,
      buildRequest: addressOf('/audio/transcriptions'),
    };
    return {
      credentials: keys.credentials,
      modelList: createOfferList({ address: addressOf('/models'), read: readModelPage }),
      endpoint: (model): Endpoint => ({
        origin: { provider: 'mistral', family: 'mistral' },
        wires: [
          { ...chat, edits: createChatEdits(takesReasoning(model), options.safePrompt === true) },
          embed,
          moderate,
          transcribe,
        ],
      }),
    };
  },
});
