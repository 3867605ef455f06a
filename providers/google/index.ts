import {
  createOfferList,
  createStoredCalls,
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
  type ProviderInit,
} from '../../core/api/index.ts';
import { readPriceFile } from '../../core/api/internal.ts';
import { createAddress, pathOf } from './address.ts';
import { classify } from './classify.ts';
import { createCountEdits, createEdits } from './edits.ts';
import { embedContentCodec } from './embed-content/index.ts';
import { selectMethod } from './embed-content/method.ts';
import { generateContentCountCodec } from './generate-content/count-tokens.ts';
import { generateContentCodec } from './generate-content/index.ts';
import { geminiImagesCodec } from './images/gemini.ts';
import { imagenCodec } from './images/imagen.ts';
import { interactionsCodec } from './interactions/index.ts';
import { isImagen, listMediaWires } from './media-wires.ts';
import { listQuery, readModelPage } from './model-list.ts';
import { apiModels, billingOf, hasInteractions, needsInteractions } from './models.ts';
import { googleSchema, type GoogleOptions } from './schema.ts';
import { geminiSpeechCodec } from './speech/gemini.ts';
import { geminiTranscribeCodec, geminiTranslateCodec } from './transcription/gemini.ts';

/** The origin of proofs. All Gemini models are assumed to read each other's thought signatures. */
const origin = { provider: 'google', family: 'google' } as const;

type BuildRequest = EndpointWire['buildRequest'];

const createWires = (
  model: string,
  addressOf: (plain: string, streamed?: string) => BuildRequest,
  interactions: BuildRequest,
): readonly EndpointWire[] => {
  if (isImagen(model)) return listMediaWires(model, addressOf, classify);
  const embedding = {
    embedContent: addressOf(':embedContent'),
    batchEmbedContents: addressOf(':batchEmbedContents'),
  };
  const generate = { operation: 'generate', classify, ...billingOf(model) } as const;
  const interacts: EndpointWire = {
    ...generate,
    wire: interactionsCodec.wire,
    background: true,
    buildRequest: interactions,
  };
  if (needsInteractions(model)) return [interacts];
  return [
    {
      ...generate,
      wire: generateContentCodec.wire,
      ...createEdits(model),
      buildRequest: addressOf(':generateContent', ':streamGenerateContent?alt=sse'),
    },
    ...(hasInteractions(model) ? [interacts] : []),
    {
      operation: 'count-tokens',
      wire: generateContentCountCodec.wire,
      ...createCountEdits(model),
      buildRequest: addressOf(':countTokens'),
      classify,
    },
    {
      operation: 'embed',
      wire: embedContentCodec.wire,
      // "at most 100 requests can be in one batch": https://github.com/langchain-ai/langchainjs/issues/4491
      maxInputs: 100,
      buildRequest: (call) => embedding[selectMethod(call.body)](call),
      classify,
    },
    ...listMediaWires(model, addressOf, classify),
  ];
};

/** What a first configuration has of Google. Google's own SDKs take the key from either variable. */
const init: ProviderInit = {
  env: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  models: [
    // Gemini CLI requests the last three by itself: to choose a model, to work, and to compact. Its older versions
    // choose with gemini-2.5-flash-lite.
    { name: 'gemini-2.5-flash' },
    { name: 'gemini-3.8-flash', role: 'strong' },
    { name: 'gemini-2.5-pro' },
    { name: 'gemini-2.5-flash-lite' },
    { name: 'gemini-3.5-flash-lite', role: 'fast' },
    { name: 'gemini-3.1-pro-preview' },
    { name: 'gemini-3-flash-preview' },
    { name: 'gemini-embedding-001', wires: ['embeddings', 'embed-content'] },
  ],
};

/** Gemini and Gemma models at the Gemini API, and the codecs of Google's wires. */
export default defineProvider<GoogleOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'google',
  schema: googleSchema,
  codecs: [
    generateContentCodec,
    generateContentCountCodec,
    interactionsCodec,
    embedContentCodec,
    geminiImagesCodec,
    imagenCodec,
    geminiSpeechCodec,
    geminiTranscribeCodec,
    geminiTranslateCodec,
  ],
  models: apiModels,
  get prices() {
    return ['./prices.yaml', './gemma-prices.yaml'].flatMap((file) => readPriceFile(new URL(file, import.meta.url)));
  },
  // With it the vendor calls an address that the client names.
  refuses: ['webhook_config'],
  init,
  create: (options = {}, services) => {
    const keys = readApiKeys(options, services);
    // The body has the model, and says whether the response is streamed.
    const interactions = createAddress(options, keys, 'interactions');
    return {
      credentials: keys.credentials,
      endpoint: (model): Endpoint => {
        const path = pathOf(model);
        const addressOf = (plain: string, streamed?: string) => createAddress(options, keys, path, plain, streamed);
        return { origin, wires: createWires(model, addressOf, interactions) };
      },
      modelList: createOfferList({
        address: createAddress(options, keys, 'models'),
        query: listQuery,
        read: readModelPage,
      }),
      stored: [createStoredCalls(interactionsCodec.wire, interactions)],
    };
  },
});
