import {
  createStoredCalls,
  defineProvider,
  type Endpoint,
  type OptionFinding,
  type ProviderDefinition,
} from '../../../core/api/index.ts';
import { isObject, parseJson } from '../../../core/api/codec.ts';
import { readPriceFile } from '../../../core/api/internal.ts';
import { interactionsCodec } from '../interactions/index.ts';
import { googleModels } from '../models.ts';
import { predictCodec, singleEmbedCodec } from '../predict/index.ts';
import { createAddress } from './address.ts';
import { claudeFamilies, claudePrices, createBetas, createClaudeWires, isClaude } from './claude.ts';
import { createGeminiWires } from './gemini.ts';
import { createLogins, hasKeys } from './logins.ts';
import { createModelList } from './model-list.ts';
import { vertexSchema, type VertexOptions } from './schema.ts';

/** The resource of a model, below a project and location. Tuned models are named by their endpoint. */
const resourceOf = (model: string): string => {
  if (/^(?:publishers|endpoints)\//.test(model)) return model;
  return `publishers/${isClaude(model) ? 'anthropic' : 'google'}/models/${model}`;
};

/** Express mode has no interactions: https://github.com/googleapis/python-aiplatform/issues/6966 */
const isExpress = (options: VertexOptions): boolean => (options.project ?? '') === '' && hasKeys(options);

/** Reports settings that contradict each other, and inline credentials that are not JSON. */
function check(options: VertexOptions = {}): readonly OptionFinding[] {
  const text = (options.credentials ?? '').trim();
  if (text === '') return [];
  if (hasKeys(options))
    return [{ path: ['credentials'], message: 'Set either credentials or apiKey: each call uses one of them.' }];
  return text.startsWith('{') && !isObject(parseJson(text))
    ? [{ path: ['credentials'], message: 'The credentials begin like JSON, but cannot be parsed.' }]
    : [];
}

const init: NonNullable<ProviderDefinition['init']> = {
  env: ['GOOGLE_VERTEX_API_KEY', 'VERTEX_API_KEY'],
  models: [
    { name: 'gemini-3.8-flash', role: 'strong' },
    { name: 'gemini-2.5-flash', role: 'fast' },
    { name: 'gemini-2.5-pro' },
  ],
};

/**
 * Gemini and Claude models at Vertex AI of Google Cloud.
 * @param anthropic the provider of Claude models, for their capabilities and prices
 */
export const createVertex = (
  anthropic: Pick<ProviderDefinition, 'models' | 'prices'>,
): ProviderDefinition<VertexOptions> =>
  defineProvider<VertexOptions>({
    kind: 'provider',
    apiVersion: 1,
    name: 'vertex',
    schema: vertexSchema,
    codecs: [predictCodec, singleEmbedCodec],
    models: [...googleModels, ...claudeFamilies(anthropic.models ?? [])],
    get prices() {
      return [...readPriceFile(new URL('../prices.yaml', import.meta.url)), ...claudePrices(anthropic.prices ?? [])];
    },
    // With a webhook the vendor calls an address that the client names.
    refuses: ['fallbacks', 'webhook_config'],
    init,
    check,
    create: async (options, services) => {
      const logins = await createLogins(options, services);
      const betas = createBetas(options.betas);
      const interactions = isExpress(options)
        ? undefined
        : createAddress(options, logins, { version: 'v1beta1', resource: 'interactions', plain: '', streamed: '' });
      return {
        credentials: logins.credentials,
        endpoint: (model): Endpoint => {
          const resource = resourceOf(model);
          if (isClaude(model)) {
            const { filter } = betas;
            const wires = createClaudeWires(
              (plain, streamed, counting = resource) =>
                createAddress(options, logins, { version: 'v1', resource: counting, plain, streamed, filter }),
              betas,
            );
            return { origin: { provider: 'vertex', family: 'claude' }, wires };
          }
          const wires = createGeminiWires(
            model,
            (plain, streamed = plain) =>
              createAddress(options, logins, { version: 'v1beta1', resource, plain, streamed }),
            interactions,
          );
          return { origin: { provider: 'vertex', family: 'google' }, wires };
        },
        // Keys of express mode may not list models.
        ...(hasKeys(options) ? {} : { modelList: createModelList(options, logins) }),
        ...(interactions === undefined ? {} : { stored: [createStoredCalls(interactionsCodec.wire, interactions)] }),
      };
    },
  });
