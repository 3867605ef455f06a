import {
  createOfferList,
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
} from '../../core/api/index.ts';
import { createAddress, createListAddress, type Methods } from './address.ts';
import { classify } from './classify.ts';
import { createCountEdits } from './edits/count.ts';
import { createEdits } from './edits/index.ts';
import { embedContentCodec } from './embed-content/index.ts';
import { selectMethod } from './embed-content/method.ts';
import { generateContentCountCodec } from './generate-content/count-tokens.ts';
import { generateContentCodec } from './generate-content/index.ts';
import { googleInit } from './init.ts';
import { listQuery, readModelPage } from './model-list.ts';
import { googleModels, readGeneration } from './models.ts';
import { gemmaPrices, googlePrices } from './prices.ts';
import { googleSchema, type GoogleOptions } from './schema.ts';

/** The origin of proofs. All Gemini models are assumed to read each other's thought signatures. */
const origin = { provider: 'google', family: 'google' } as const;

const generateMethods: Methods = { plain: ':generateContent', streamed: ':streamGenerateContent?alt=sse' };
/**
 * Before Gemini 3, a prompt with searches is billed once; from then on each search is billed.
 * https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
const billsOneSearch = (model: string): boolean => (readGeneration(model) ?? 3) < 3;
/** A method that does not stream. */
const unary = (method: string): Methods => ({ plain: method, streamed: method });

/** Gemini and Gemma models at the Gemini API, and the codecs of Google's wires. */
export default defineProvider<GoogleOptions | undefined>({
  kind: 'provider',
  apiVersion: 1,
  name: 'google',
  schema: googleSchema,
  codecs: [generateContentCodec, generateContentCountCodec, embedContentCodec],
  models: googleModels,
  prices: [...googlePrices, ...gemmaPrices],
  init: googleInit,
  create: (options = {}, services) => {
    const keys = readApiKeys(options, services);
    return {
      credentials: keys.credentials,
      endpoint: (model): Endpoint => {
        const addressOf = (methods: Methods) => createAddress(options, keys, model, methods);
        const embedding = {
          embedContent: addressOf(unary(':embedContent')),
          batchEmbedContents: addressOf(unary(':batchEmbedContents')),
        };
        const wires: readonly EndpointWire[] = [
          {
            operation: 'generate',
            wire: generateContentCodec.wire,
            ...createEdits(model),
            ...(billsOneSearch(model) ? { billsOneSearch: true } : {}),
            buildRequest: addressOf(generateMethods),
            classify,
          },
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
            buildRequest: (call) => embedding[selectMethod(call.body)](call),
            classify,
          },
        ];
        return { origin, wires };
      },
      modelList: createOfferList({
        address: createListAddress(options, keys),
        query: listQuery,
        read: readModelPage,
      }),
    };
  },
});
