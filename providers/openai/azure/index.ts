import {
  type ApiKeys,
  createOfferList,
  createStoredCalls,
  type Credential,
  defineProvider,
  type Endpoint,
  type EndpointWire,
  type ModelFamily,
  readApiKeys,
  type OfferedModel,
  type OfferPage,
  type Operation,
} from '../../../core/api/index.ts';
import { readPriceFile } from '../../../core/api/internal.ts';
import { type EntraIdentity, openEntra } from '../../identity/entra/tokens.ts';
import { type AnyCodec, omitUndefined, readObject, readObjects, readText } from '../../../core/api/codec.ts';
import { chatCompletionsCodec } from '../chat-completions/index.ts';
import { chatMembers, createChatEdits } from '../chat-edits.ts';
import { createChoice } from '../choose-wire.ts';
import { embeddingsCodec } from '../embeddings/index.ts';
import { imageEditsCodec, imagesCodec } from '../images/index.ts';
import { isResponsesOnly, openAiModels } from '../models.ts';
import { readLimits } from '../read-limits.ts';
import { refusedMembers } from '../routing-members.ts';
import { createResponsesEdits } from '../responses-edits.ts';
import { responsesCompactCodec } from '../responses/compact.ts';
import { responsesCodec } from '../responses/index.ts';
import { WIRE as RESPONSES } from '../responses/shape.ts';
import { speechTraits } from '../speech/edits.ts';
import { speechCodec } from '../speech/index.ts';
import { streamsOf } from '../transcriptions/edits.ts';
import { transcriptionsCodec, translationsCodec } from '../transcriptions/index.ts';
import { createAddress } from './address.ts';
import { classify } from './classify.ts';
import { type AzureOperation, azureOperations, hasUsageOption, listPath, listPaths } from './paths.ts';
import { type AzureOptions, azureSchema, checkAzure, endpointOf, NO_ENDPOINT, SCOPE } from './schema.ts';

/** Azure writes the oldest family without the dot. */
const azureModels: readonly ModelFamily[] = openAiModels.flatMap((family) =>
  family.prefix === 'gpt-3.5' ? [family, { ...family, prefix: 'gpt-35' }] : [family],
);

type Edit = NonNullable<EndpointWire['edits']>;

/** Proofs are sent back to Azure only: its resources do not share keys with OpenAI. */
const origin = { provider: 'azure-openai', family: 'azure-openai' } as const;

const codecs: Readonly<Record<AzureOperation, Pick<AnyCodec, 'operation' | 'wire'>>> = {
  chat: chatCompletionsCodec,
  responses: responsesCodec,
  compact: responsesCompactCodec,
  embeddings: embeddingsCodec,
  images: imagesCodec,
  imageEdits: imageEditsCodec,
  transcriptions: transcriptionsCodec,
  translations: translationsCodec,
  speech: speechCodec,
  // The wire of provider `cohere`.
  rerank: { operation: 'rerank', wire: 'cohere-rerank' },
};

/** Adds the name of the deployment, where it is not that of the model. */
const withDeployment = (edit: Edit | undefined, model: string, deployment: string): Pick<EndpointWire, 'edits'> => {
  if (deployment === model) return edit === undefined ? {} : { edits: edit };
  const named = { member: 'model', value: deployment };
  return { edits: (body, request) => [...(edit?.(body, request) ?? []), named] };
};

/** What depends on the model, as at OpenAI. Azure searches the web on responses only. */
const traitsOf = (operation: AzureOperation, model: string, deployment: string): Partial<EndpointWire> => {
  if (operation === 'chat')
    return {
      ...withDeployment(createChatEdits(model), model, deployment),
      ...chatMembers(model),
      webSearch: false,
    };
  if (operation === 'responses')
    return { ...withDeployment(createResponsesEdits(model), model, deployment), background: true };
  if (operation === 'transcriptions') return { ...withDeployment(undefined, model, deployment), ...streamsOf(model) };
  if (operation === 'speech') {
    const { edits, streams } = speechTraits(model);
    return { ...withDeployment(edits, model, deployment), ...(streams === false ? { streams } : {}) };
  }
  return withDeployment(undefined, model, deployment);
};

/** https://learn.microsoft.com/azure/foundry/openai/how-to/codex: Azure has all models for coding on responses only. */
const hasNoChat = (model: string): boolean => isResponsesOnly(model) || /codex/.test(model);
const chooseResponses = (): string => RESPONSES;

/**
 * Models that rerank are Cohere's, and do nothing else:
 * https://docs.cohere.com/docs/cohere-on-microsoft-azure
 */
const isReranker = (model: string): boolean => /rerank/i.test(model);

const listOperations = (paths: Partial<Record<AzureOperation, string>>, model: string): readonly AzureOperation[] =>
  azureOperations.filter(
    (operation) =>
      paths[operation] !== undefined &&
      (operation === 'rerank') === isReranker(model) &&
      (operation !== 'chat' || paths.responses === undefined || !hasNoChat(model)),
  );

/** Keys that are set, and the identity. Without either, the credential says which setting is missing. */
const listCredentials = ({ credentials }: ApiKeys, identity: EntraIdentity | undefined): readonly Credential[] => {
  if (identity === undefined) return credentials;
  return [...(credentials.some((key) => key.unavailable === undefined) ? credentials : []), identity.credential];
};

/** What all wires have in common. */
const listCommon = (options: AzureOptions): Partial<EndpointWire> => ({
  classify,
  readLimits,
  // `x-request-id` is not in every response: not in a 401 or a 429, and not in those of the models of other vendors.
  requestIdHeader: 'apim-request-id',
  ...(hasUsageOption(options) ? {} : { refusesUsageOption: true }),
  ...(options.correctUsage === false ? { keepsUsage: true } : {}),
});

const readOperations = (capabilities: Readonly<Record<string, unknown>>): readonly Operation[] => {
  if (capabilities['chat_completion'] === true) return ['generate'];
  return capabilities['embeddings'] === true ? ['embed'] : [];
};

/** A time in Unix seconds as a date. */
const readDate = (seconds: unknown): string | undefined =>
  typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString().slice(0, 10) : undefined;

/**
 * The models that the resource can deploy. Its deployments are listed by Azure Resource Manager only.
 * https://learn.microsoft.com/rest/api/azureopenai/models/list
 */
const readModelPage = (body: unknown): OfferPage => ({
  models: readObjects(readObject(body)['data']).map((model): OfferedModel =>
    omitUndefined({
      name: readText(model['id']),
      operations: readOperations(readObject(model['capabilities'])),
      ends: readDate(readObject(model['deprecation'])['inference']),
    }),
  ),
});

/** Of a provider without an endpoint. Nothing is sent to it, because its credentials are unavailable. */
const NOWHERE = 'https://endpoint.invalid';

/** The wires of clients in a first configuration. */
const wires = ['chat-completions', 'completions', 'messages', 'generate-content', 'interactions', 'responses'] as const;

/** OpenAI's models, and those of other vendors, at Azure: see README.md. */
export default defineProvider<AzureOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'azure-openai',
  schema: azureSchema,
  models: azureModels,
  get prices() {
    return readPriceFile(new URL('./prices.yaml', import.meta.url));
  },
  // `data_sources` names addresses and credentials of other services, which Azure would call.
  refuses: [...refusedMembers, 'data_sources', 'dataSources'],
  check: checkAzure,
  init: {
    env: ['AZURE_OPENAI_API_KEY'],
    models: [
      { name: 'gpt-4.1', role: 'strong', wires },
      { name: 'gpt-6-luna', role: 'fast', wires },
      { name: 'gpt-5-mini', wires },
      { name: 'text-embedding-3-small', wires: ['embeddings', 'embed-content'] },
    ],
  },
  create: (options, services) => {
    const endpoint = endpointOf(options);
    const keys = readApiKeys(options, services);
    const identity = options.entra === undefined ? undefined : openEntra(options.entra, SCOPE, services);
    const credentials = listCredentials(keys, identity);
    const addressOf = (path: string) => createAddress(endpoint ?? NOWHERE, options, keys, identity, path);
    const models = listPath(options);
    // Responses are not below the path of a deployment.
    const stored = listPaths(options, '').responses;
    const common = listCommon(options);
    return {
      credentials:
        endpoint === undefined ? credentials.map(({ id }) => ({ id, unavailable: NO_ENDPOINT })) : credentials,
      ...(models === undefined
        ? {}
        : { modelList: createOfferList({ address: addressOf(models), read: readModelPage }) }),
      ...(stored === undefined ? {} : { stored: [createStoredCalls(RESPONSES, addressOf(stored))] }),
      endpoint: (model): Endpoint => {
        const { deployments = {} } = options;
        const deployment = (Object.hasOwn(deployments, model) ? deployments[model] : undefined) ?? model;
        const paths = listPaths(options, deployment);
        return {
          origin,
          ...(paths.responses === undefined
            ? {}
            : { chooseWire: hasNoChat(model) ? chooseResponses : createChoice(model) }),
          wires: listOperations(paths, model).map((name) => ({
            operation: codecs[name].operation,
            wire: codecs[name].wire,
            buildRequest: addressOf(paths[name] ?? ''),
            ...common,
            ...traitsOf(name, model, deployment),
          })),
        };
      },
    };
  },
});
