import {
  createOfferList,
  createStoredCalls,
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
} from '../../core/api/index.ts';
import { readPriceFile } from '../../core/api/internal.ts';
import { createAddress, createInteractionsAddress, createListAddress, type Methods } from './address.ts';
import { classify } from './classify.ts';
import { createCountEdits } from './edits/count.ts';
import { createEdits } from './edits/index.ts';
import { embedContentCodec } from './embed-content/index.ts';
import { selectMethod } from './embed-content/method.ts';
import { generateContentCountCodec } from './generate-content/count-tokens.ts';
import { generateContentCodec } from './generate-content/index.ts';
import { geminiImagesCodec } from './images/gemini.ts';
import { imagenCodec } from './images/imagen.ts';
import { isImagen, listImageWires } from './images/wires.ts';
import { interactionsCodec } from './interactions/index.ts';
import { googleInit } from './init.ts';
import { listQuery, readModelPage } from './model-list.ts';
import { apiModels, hasInteractions, needsInteractions, readGeneration } from './models.ts';
import { googleSchema, type GoogleOptions } from './schema.ts';
import { geminiSpeechCodec, listSpeechWires } from './speech/gemini.ts';
import { geminiTranscribeCodec, geminiTranslateCodec, listAudioWires } from './transcription/gemini.ts';

/** The origin of proofs. All Gemini models are assumed to read each other's thought signatures. */
const origin = { provider: 'google', family: 'google' } as const;

const generateMethods: Methods = { plain: ':generateContent', streamed: ':streamGenerateContent?alt=sse' };
/**
 * Before Gemini 3, a prompt with searches is billed once; from then on each search is billed.
 * https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
const traitsOf = (model: string): Pick<EndpointWire, 'billsOneSearch'> =>
  (readGeneration(model) ?? 3) < 3 ? { billsOneSearch: true } : {};
/** A method that does not stream. */
const unary = (method: string): Methods => ({ plain: method, streamed: method });

type BuildRequest = EndpointWire['buildRequest'];

const createWires = (
  model: string,
  addressOf: (methods: Methods) => BuildRequest,
  interactions: BuildRequest,
): readonly EndpointWire[] => {
  const methodOf = (method: string): BuildRequest => addressOf(unary(method));
  const images = listImageWires(model, methodOf, classify);
  if (isImagen(model)) return images;
  const embedding = {
    embedContent: addressOf(unary(':embedContent')),
    batchEmbedContents: addressOf(unary(':batchEmbedContents')),
  };
  const generate = { operation: 'generate', classify, ...traitsOf(model) } as const;
  const interacts: EndpointWire = {
    ...generate,
    wire: interactionsCodec.wire,
    background: true,
    buildRequest: interactions,
  };
  if (needsInteractions(model)) return [interacts];
  return [
    { ...generate, wire: generateContentCodec.wire, ...createEdits(model), buildRequest: addressOf(generateMethods) },
    ...(hasInteractions(model) ? [interacts] : []),
    {
      operation: 'count-tokens',
      wire: generateContentCountCodec.wire,
      ...createCountEdits(model),
      buildRequest: addressOf(unary(':countTokens')),
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
    ...images,
    ...listSpeechWires(model, methodOf, classify),
    ...listAudioWires(model, methodOf, classify),
  ];
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
  init: googleInit,
  create: (options = {}, services) => {
    const keys = readApiKeys(options, services);
    const interactions = createInteractionsAddress(options, keys);
    return {
      credentials: keys.credentials,
      endpoint: (model): Endpoint => {
        const wires = createWires(model, (methods) => createAddress(options, keys, model, methods), interactions);
        return { origin, wires };
      },
      modelList: createOfferList({
        address: createListAddress(options, keys),
        query: listQuery,
        read: readModelPage,
      }),
      stored: [createStoredCalls(interactionsCodec.wire, interactions)],
    };
  },
});
