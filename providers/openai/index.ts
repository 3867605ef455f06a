import {
  createKeyAddress,
  createOfferList,
  createStoredCalls,
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
  type Headers,
} from '../../core/api/index.ts';
import type { AnyCodec } from '../../core/api/codec.ts';
import { chatCompletionsCodec } from './chat-completions/index.ts';
import { createChatEdits } from './chat-edits.ts';
import { createChoice } from './choose-wire.ts';
import { embeddingsCodec } from './embeddings/index.ts';
import { classify } from './classify.ts';
import { openAiInit } from './init.ts';
import { readModelPage } from './model-list/index.ts';
import { isReasoning, isResponsesOnly, openAiModels, searchesOnChat } from './models.ts';
import { openAiPrices } from './prices.ts';
import { createResponsesEdits } from './responses-edits.ts';
import { responsesCompactCodec } from './responses/compact.ts';
import { responsesCountCodec } from './responses/count-tokens.ts';
import { responsesCodec } from './responses/index.ts';
import { readLimits } from './read-limits.ts';
import { DEFAULT_BASE_URL, openAiSchema, type OpenAiOptions } from './schema.ts';

/** Proofs of this origin are sent back to OpenAI only. */
const origin = { provider: 'openai', family: 'openai' } as const;

/**
 * Models that reason refuse `max_tokens`. For other models the client's own member stays. None has the object
 * `reasoning` on this wire. https://platform.openai.com/docs/api-reference/chat/create
 */
const membersOf = (model: string): Pick<EndpointWire, 'capMember' | 'effortMember'> => ({
  ...(isReasoning(model) ? { capMember: 'max_completion_tokens' } : {}),
  effortMember: 'reasoning_effort',
});

const withoutSearch: Pick<EndpointWire, 'webSearch'> = { webSearch: false };

/** What depends on the model. A model searches the web on one of the two wires. */
const chatTraits = (model: string): Partial<EndpointWire> => ({
  edits: createChatEdits(model),
  ...membersOf(model),
  ...(searchesOnChat(model) ? {} : withoutSearch),
});
const responsesTraits = (model: string): Partial<EndpointWire> => ({
  edits: createResponsesEdits(model),
  ...(searchesOnChat(model) ? withoutSearch : {}),
  background: true,
});

const ownHeaders = ({ organization = '', project = '' }: OpenAiOptions): Headers => ({
  ...(organization === '' ? {} : { 'openai-organization': organization }),
  ...(project === '' ? {} : { 'openai-project': project }),
});

/** OpenAI, and the codecs of the wires that it defined: see README.md. */
export default defineProvider<OpenAiOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'openai',
  schema: openAiSchema,
  codecs: [chatCompletionsCodec, responsesCodec, responsesCountCodec, responsesCompactCodec, embeddingsCodec],
  models: openAiModels,
  prices: openAiPrices,
  // OpenAI has none of them, but a proxy at `baseUrl` can.
  refuses: ['models', 'fallbacks', 'provider', 'route', 'api_base', 'api_key', 'base_url'],
  init: openAiInit,
  create: (options = {}, services) => {
    const { baseUrl = DEFAULT_BASE_URL } = options;
    const keys = readApiKeys(options, services);
    const fixed = ownHeaders(options);
    const addressOf = (path: string) =>
      createKeyAddress(baseUrl, path, keys, (key) => ({ ...fixed, authorization: `Bearer ${key}` }));
    const serve = ({ operation, wire }: Pick<AnyCodec, 'operation' | 'wire'>, path: string): EndpointWire => ({
      operation,
      wire,
      buildRequest: addressOf(path),
      classify,
      readLimits,
      ...(options.correctUsage === false ? { keepsUsage: true } : {}),
    });
    const chat = serve(chatCompletionsCodec, '/chat/completions');
    const responses = serve(responsesCodec, '/responses');
    const others = [
      serve(responsesCountCodec, '/responses/input_tokens'),
      serve(responsesCompactCodec, '/responses/compact'),
      serve(embeddingsCodec, '/embeddings'),
    ];
    return {
      credentials: keys.credentials,
      endpoint: (model): Endpoint => ({
        origin,
        chooseWire: createChoice(model),
        wires: [
          ...(isResponsesOnly(model) ? [] : [{ ...chat, ...chatTraits(model) }]),
          { ...responses, ...responsesTraits(model) },
          ...others,
        ],
      }),
      modelList: createOfferList({ address: addressOf('/models'), read: readModelPage }),
      stored: [createStoredCalls(responsesCodec.wire, addressOf('/responses'))],
    };
  },
});
