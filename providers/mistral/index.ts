import {
  createKeyAddress,
  createOfferList,
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
} from '../../core/api/index.ts';
import { readPriceFile } from '../../core/api/internal.ts';
import { classify } from './classify.ts';
import { createChatEdits, editEmbeddings, editModerations, transcriptionTraits } from './edits.ts';
import { families, takesReasoning } from './models.ts';
import { readModelPage } from './model-list.ts';
import { readLimits } from './read-limits.ts';
import { DEFAULT_BASE_URL, schema, type MistralOptions } from './schema.ts';

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
