import { defineProvider, type Endpoint, type ProviderDefinition } from '../../../core/api/index.ts';
import { googleModels } from '../models.ts';
import { predictCodec, singleEmbedCodec } from '../predict/index.ts';
import { googlePrices } from '../prices.ts';
import { createAddress } from './address.ts';
import { check } from './check.ts';
import { claudeFamilies, claudePrices, createClaudeWires, isClaude } from './claude.ts';
import { createGeminiWires } from './gemini.ts';
import { createLogins, hasKeys } from './logins.ts';
import { createModelList } from './model-list.ts';
import { vertexSchema, type VertexOptions } from './schema.ts';

/** The resource of a model, below a project and location. Tuned models are named by their endpoint. */
const resourceOf = (model: string): string => {
  if (/^(?:publishers|endpoints)\//.test(model)) return model;
  return `publishers/${isClaude(model) ? 'anthropic' : 'google'}/models/${model}`;
};

/**
 * Gemini and Claude models at Vertex AI of Google Cloud.
 * @param anthropic the provider of Claude models, for their capabilities and prices
 */
export const createVertex = ({
  models = [],
  prices = [],
}: Pick<ProviderDefinition, 'models' | 'prices'>): ProviderDefinition<VertexOptions> =>
  defineProvider<VertexOptions>({
    kind: 'provider',
    apiVersion: 1,
    name: 'vertex',
    schema: vertexSchema,
    codecs: [predictCodec, singleEmbedCodec],
    models: [...googleModels, ...claudeFamilies(models)],
    prices: [...googlePrices, ...claudePrices(prices)],
    refuses: ['fallbacks'],
    init: {
      env: ['GOOGLE_VERTEX_API_KEY', 'VERTEX_API_KEY'],
      models: [
        { name: 'gemini-3.8-flash', role: 'strong' },
        { name: 'gemini-2.5-flash', role: 'fast' },
        { name: 'gemini-2.5-pro' },
      ],
    },
    check,
    create: async (options, services) => {
      const logins = await createLogins(options, services);
      return {
        credentials: logins.credentials,
        endpoint: (model): Endpoint => {
          const resource = resourceOf(model);
          if (isClaude(model)) {
            const wires = createClaudeWires((plain, streamed, counting = resource) =>
              createAddress(options, logins, {
                version: 'v1',
                resource: counting,
                plain,
                streamed,
                drops: 'anthropic-version',
              }),
            );
            return { origin: { provider: 'vertex', family: 'claude' }, wires };
          }
          const wires = createGeminiWires(model, (plain, streamed = plain) =>
            createAddress(options, logins, { version: 'v1beta1', resource, plain, streamed }),
          );
          return { origin: { provider: 'vertex', family: 'google' }, wires };
        },
        // Keys of express mode may not list models.
        ...(hasKeys(options) ? {} : { modelList: createModelList(options, logins) }),
      };
    },
  });
