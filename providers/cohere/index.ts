import {
  createKeyAddress,
  createOfferList,
  defineProvider,
  readApiKeys,
  type EndpointWire,
} from '../../core/api/index.ts';
import { readPriceFile } from '../../core/api/internal.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { chatCodec } from './chat/index.ts';
import { createEdits } from './edits.ts';
import { embedCodec } from './embed/index.ts';
import { listQuery, readModelPage } from './model-list.ts';
import { families } from './models.ts';
import { rerankCodec } from './rerank/index.ts';
import { DEFAULT_BASE_URL, schema, type CohereOptions } from './schema.ts';

const REQUEST_ID = 'x-debug-trace-id';

/** Models of Cohere by the API v2: https://docs.cohere.com/reference/about */
export default defineProvider<CohereOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'cohere',
  schema,
  codecs: [chatCodec, embedCodec, rerankCodec],
  models: families,
  get prices() {
    return readPriceFile(new URL('./prices.yaml', import.meta.url));
  },
  init: {
    env: ['COHERE_API_KEY', 'CO_API_KEY'],
    models: [
      { name: 'command-a-03-2025', role: 'strong' },
      { name: 'command-r7b-12-2024', role: 'fast' },
    ],
  },
  create: (options, services) => {
    const { baseUrl = DEFAULT_BASE_URL } = options;
    const keys = readApiKeys(options, services);
    const addressOf = (path: string) =>
      createKeyAddress(baseUrl, path, keys, (key) => ({ authorization: `Bearer ${key}` }));
    const wires: readonly EndpointWire[] = [
      omitUndefined({
        operation: 'generate',
        wire: chatCodec.wire,
        buildRequest: addressOf('/v2/chat'),
        requestIdHeader: REQUEST_ID,
        edits: createEdits(options),
      }),
      {
        operation: 'embed',
        wire: embedCodec.wire,
        // https://docs.cohere.com/reference/embed#request.body.texts
        maxInputs: 96,
        buildRequest: addressOf('/v2/embed'),
        requestIdHeader: REQUEST_ID,
      },
      {
        operation: 'rerank',
        wire: rerankCodec.wire,
        buildRequest: addressOf('/v2/rerank'),
        requestIdHeader: REQUEST_ID,
      },
    ];
    const endpoint = { wires, origin: { provider: 'cohere', family: 'cohere' } };
    return {
      credentials: keys.credentials,
      endpoint: () => endpoint,
      modelList: createOfferList({
        address: addressOf('/v1/models'),
        query: listQuery,
        read: readModelPage,
      }),
    };
  },
});
