import { createOfferList, defineProvider, readApiKeys, type EndpointWire } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { createAddress } from './address.ts';
import { chatCodec } from './chat/index.ts';
import { createEdits } from './edits.ts';
import { embedCodec } from './embed/index.ts';
import { listQuery, readModelPage } from './model-list.ts';
import { families } from './models.ts';
import { coherePrices } from './prices.ts';
import { schema, type CohereOptions } from './schema.ts';

/** Models of Cohere by the API v2: https://docs.cohere.com/reference/about */
export default defineProvider<CohereOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'cohere',
  schema,
  codecs: [chatCodec, embedCodec],
  models: families,
  prices: coherePrices,
  init: {
    env: ['COHERE_API_KEY', 'CO_API_KEY'],
    models: [
      { name: 'command-a-03-2025', role: 'strong' },
      { name: 'command-r7b-12-2024', role: 'fast' },
    ],
  },
  create: (options, services) => {
    const keys = readApiKeys(options, services);
    const wires: readonly EndpointWire[] = [
      omitUndefined({
        operation: 'generate',
        wire: chatCodec.wire,
        buildRequest: createAddress(options, keys, '/v2/chat'),
        edits: createEdits(options),
      }),
      { operation: 'embed', wire: embedCodec.wire, buildRequest: createAddress(options, keys, '/v2/embed') },
    ];
    const endpoint = { wires, origin: { provider: 'cohere', family: 'cohere' } };
    return {
      credentials: keys.credentials,
      endpoint: () => endpoint,
      modelList: createOfferList({
        address: createAddress(options, keys, '/v1/models'),
        query: listQuery,
        read: readModelPage,
      }),
    };
  },
});
