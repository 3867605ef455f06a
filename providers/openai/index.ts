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
import { readPriceFile } from '../../core/api/internal.ts';
import type { AnyCodec } from '../../core/api/codec.ts';
import { chatCompletionsCodec } from './chat-completions/index.ts';
import { chatMembers, createChatEdits } from './chat-edits.ts';
import { completionsCodec } from './completions/index.ts';
import { createChoice } from './choose-wire.ts';
import { embeddingsCodec } from './embeddings/index.ts';
import { isTranscriber, streamsOf } from './transcriptions/edits.ts';
import { transcriptionsCodec, translationsCodec } from './transcriptions/index.ts';
import { isSpeaker, speechTraits } from './speech/edits.ts';
import { speechCodec } from './speech/index.ts';
import { tokenizeCodec } from './tokenize/index.ts';
import { imageEditsCodec, imagesCodec, imageVariationsCodec } from './images/index.ts';
import { moderationsCodec } from './moderations/index.ts';
import { classify } from './classify.ts';
import { readModelPage } from './model-list/index.ts';
import { isCompletionsOnly, isResponsesOnly, openAiModels, searchesOnChat } from './models.ts';
import { createResponsesEdits } from './responses-edits.ts';
import { responsesCompactCodec } from './responses/compact.ts';
import { responsesCountCodec } from './responses/count-tokens.ts';
import { responsesCodec } from './responses/index.ts';
import { readLimits } from './read-limits.ts';
import { refusedMembers } from './routing-members.ts';
import { DEFAULT_BASE_URL, openAiSchema, type OpenAiOptions } from './schema.ts';

/** Proofs of this origin are sent back to OpenAI only. */
const origin = { provider: 'openai', family: 'openai' } as const;

const withoutSearch: Pick<EndpointWire, 'webSearch'> = { webSearch: false };

/** What depends on the model. A model searches the web on one of the two wires. */
const chatTraits = (model: string): Partial<EndpointWire> => ({
  edits: createChatEdits(model),
  ...chatMembers(model),
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

type Serve = (codec: Pick<AnyCodec, 'operation' | 'wire'>, path: string) => EndpointWire;

/** The wires of audio. Models that only write speech down, or only speak, have no others. */
const createAudio = (serve: Serve): ((model: string) => readonly EndpointWire[]) => {
  const transcriptions = serve(transcriptionsCodec, '/audio/transcriptions');
  const translations = serve(translationsCodec, '/audio/translations');
  const speech = serve(speechCodec, '/audio/speech');
  return (model) => {
    const written = [{ ...transcriptions, ...streamsOf(model) }, translations];
    const spoken = { ...speech, ...speechTraits(model) };
    if (isTranscriber(model)) return written;
    return isSpeaker(model) ? [spoken] : [...written, spoken];
  };
};

/** What every model has beside generation: a model that has not is refused by the vendor. */
const otherPaths: readonly (readonly [Pick<AnyCodec, 'operation' | 'wire'>, string])[] = [
  [responsesCountCodec, '/responses/input_tokens'],
  [responsesCompactCodec, '/responses/compact'],
  [embeddingsCodec, '/embeddings'],
  [moderationsCodec, '/moderations'],
  [imagesCodec, '/images/generations'],
  [imageEditsCodec, '/images/edits'],
  [imageVariationsCodec, '/images/variations'],
];

/** The wires of clients in a first configuration. */
const wires = ['chat-completions', 'completions', 'messages', 'generate-content', 'interactions', 'responses'] as const;

/** OpenAI, and the codecs of the wires that it defined: see README.md. */
export default defineProvider<OpenAiOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'openai',
  schema: openAiSchema,
  codecs: [
    chatCompletionsCodec,
    responsesCodec,
    responsesCountCodec,
    responsesCompactCodec,
    completionsCodec,
    embeddingsCodec,
    moderationsCodec,
    transcriptionsCodec,
    translationsCodec,
    speechCodec,
    imagesCodec,
    imageEditsCodec,
    imageVariationsCodec,
    tokenizeCodec,
  ],
  models: openAiModels,
  get prices() {
    return readPriceFile(new URL('./prices.yaml', import.meta.url));
  },
  refuses: refusedMembers,
  init: {
    env: ['OPENAI_API_KEY'],
    models: [
      { name: 'gpt-4.1', wires },
      { name: 'gpt-6.1-sol', role: 'strong', wires },
      { name: 'gpt-6-luna', role: 'fast', wires },
      ...['gpt-5-mini', 'gpt-5-codex', 'o3'].map((name) => ({ name, wires })),
      { name: 'text-embedding-3-small', wires: ['embeddings', 'embed-content'] },
      { name: 'omni-moderation-latest', wires: ['moderations'] },
    ],
  },
  create: (options = {}, services) => {
    const { baseUrl = DEFAULT_BASE_URL } = options;
    const keys = readApiKeys(options, services);
    const fixed = ownHeaders(options);
    const addressOf = (path: string) =>
      createKeyAddress(baseUrl, path, keys, (key) => ({ ...fixed, authorization: `Bearer ${key}` }));
    const serve: Serve = ({ operation, wire }, path) => ({
      operation,
      wire,
      buildRequest: addressOf(path),
      classify,
      readLimits,
      ...(options.correctUsage === false ? { keepsUsage: true } : {}),
    });
    const chat = serve(chatCompletionsCodec, '/chat/completions');
    const responses = serve(responsesCodec, '/responses');
    const completions = serve(completionsCodec, '/completions');
    const others = otherPaths.map(([codec, path]) => serve(codec, path));
    const audioOf = createAudio(serve);
    return {
      credentials: keys.credentials,
      endpoint: (model): Endpoint => {
        if (isTranscriber(model) || isSpeaker(model)) return { origin, wires: audioOf(model) };
        return isCompletionsOnly(model)
          ? // Chat only where the configuration says so: the vendor refuses it.
            { origin, chooseWire: () => completionsCodec.wire, wires: [completions, { ...chat, ...chatTraits(model) }] }
          : {
              origin,
              chooseWire: createChoice(model),
              wires: [
                ...(isResponsesOnly(model) ? [] : [{ ...chat, ...chatTraits(model) }]),
                { ...responses, ...responsesTraits(model) },
                ...others,
                ...audioOf(model),
              ],
            };
      },
      modelList: createOfferList({ address: addressOf('/models'), read: readModelPage }),
      stored: [createStoredCalls(responsesCodec.wire, addressOf('/responses'))],
    };
  },
});
