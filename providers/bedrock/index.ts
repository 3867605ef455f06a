import {
  defineProvider,
  readApiKeys,
  type Endpoint,
  type EndpointWire,
  type ProviderInit,
  type Services,
} from '../../core/api/index.ts';
import { readPriceFile } from '../../core/api/internal.ts';
import { checkAws, given } from '../identity/aws/settings.ts';
import { openAws } from '../identity/aws/open.ts';
import { createAddress, type Authorization, type Method } from './address.ts';
import { classify } from './classify.ts';
import { converseCountCodec } from './converse/count-tokens.ts';
import { converseCodec } from './converse/index.ts';
import { createConverseEdits } from './edits/converse.ts';
import { createMessagesEdits } from './edits/messages.ts';
import { countTexts, embedCodec } from './embed/index.ts';
import { eventStream, messagesEventStream } from './event-stream/framings.ts';
import { readFamily, type Family } from './families.ts';
import { imagesCodec } from './images/index.ts';
import { createModelList } from './model-list.ts';
import { bedrockModels } from './models.ts';
import { createOpenAiChoice, createOpenAiWires } from './openai-wires.ts';
import { rerankCodec } from './rerank/index.ts';
import { schema, type BedrockOptions } from './schema.ts';

/** The member from which models read the effort, where it is not Claude's. */
const effortMembers: Readonly<Partial<Record<Family, string>>> = {
  'nova-2': 'reasoningConfig',
  'gpt': 'reasoning_effort',
  'gpt-oss': 'reasoning_effort',
};

/** Keys of the settings, otherwise that of the environment unless another source is chosen or present. */
const readKeys = (options: BedrockOptions, services: Services) => {
  const { apiKey = '', apiKeys = [], accessKeyId, credentials = 'auto' } = options;
  if (apiKey !== '' || apiKeys.length > 0) return readApiKeys(options, services);
  const fallback = given(process.env['AWS_BEARER_TOKEN_BEDROCK']);
  return fallback === undefined || credentials !== 'auto' || given(accessKeyId) !== undefined
    ? undefined
    : readApiKeys({ apiKey: fallback }, services);
};

/** The wires of a model. Claude is called by its own API, so that clients of the messages wire lose nothing. */
const createWires = (
  options: BedrockOptions,
  model: string,
  family: Family,
  buildRequestOf: (method: Method) => EndpointWire['buildRequest'],
): readonly EndpointWire[] => {
  const invoked = { embed: embedCodec, rerank: rerankCodec, image: imagesCodec };
  if (family === 'embed' || family === 'rerank' || family === 'image') {
    const { operation, wire } = invoked[family];
    const limit = family === 'embed' ? { maxInputs: countTexts(model) } : {};
    return [{ operation, wire, ...limit, buildRequest: buildRequestOf('invoke'), classify }];
  }
  const effortMember = effortMembers[family];
  const converse: EndpointWire = {
    operation: 'generate',
    wire: converseCodec.wire,
    framing: eventStream.name,
    edits: createConverseEdits(options, family === 'nova' || family === 'nova-2'),
    buildRequest: buildRequestOf('converse'),
    classify,
    stateless: true,
    ...(effortMember === undefined ? {} : { effortMember }),
  };
  const messages: EndpointWire = {
    operation: 'generate',
    wire: 'messages',
    framing: messagesEventStream.name,
    edits: createMessagesEdits(options.betas),
    buildRequest: buildRequestOf('invoke'),
    classify,
    stateless: true,
    webSearch: false,
  };
  if (family === 'claude') {
    const count = { operation: 'count-tokens', wire: converseCountCodec.wire, classify, stateless: true } as const;
    return [messages, converse, { ...count, buildRequest: buildRequestOf('count') }];
  }
  if (family === 'unknown') return [converse, messages];
  const openAi = createOpenAiWires(options, family, buildRequestOf);
  return [...openAi, converse];
};

const choiceOf = (family: Family, wires: readonly EndpointWire[]): Pick<Endpoint, 'chooseWire'> => {
  // The name does not say whether the model is Claude: `wire: messages` of the target does.
  if (family === 'unknown') return { chooseWire: () => converseCodec.wire };
  return family === 'gpt' || family === 'gpt-oss' ? { chooseWire: createOpenAiChoice(family, wires) } : {};
};

const openAuthorization = async (options: BedrockOptions, region: string, services: Services) => {
  const keys = readKeys(options, services);
  if (keys !== undefined) return { authorization: { keys }, credentials: keys.credentials };
  const { credential, sign, close } = await openAws(options, { service: 'bedrock', region }, services);
  return { authorization: { sign }, credentials: [credential], close };
};

/** What a first configuration has of Bedrock. The region comes from AWS_REGION. */
const init: ProviderInit = {
  env: ['AWS_BEARER_TOKEN_BEDROCK'],
  models: [
    { name: 'global.anthropic.claude-sonnet-4-6', as: 'claude-sonnet-4-6', role: 'strong' },
    {
      name: 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
      as: 'claude-haiku-4-5-20251001',
      role: 'fast',
    },
    { name: 'us.amazon.nova-2-lite-v1:0' },
    { name: 'us.amazon.nova-micro-v1:0' },
  ],
};

/** Models of Amazon Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference/welcome.html */
export default defineProvider<BedrockOptions>({
  kind: 'provider',
  apiVersion: 1,
  name: 'bedrock',
  schema,
  codecs: [converseCodec, converseCountCodec, embedCodec, imagesCodec, rerankCodec],
  framings: [eventStream, messagesEventStream],
  models: bedrockModels,
  get prices() {
    return readPriceFile(new URL('./prices.yaml', import.meta.url));
  },
  init,
  check: checkAws,
  create: async (options, services) => {
    const region =
      given(options.region) ?? given(process.env['AWS_REGION']) ?? given(process.env['AWS_DEFAULT_REGION']);
    const known = region ?? 'us-east-1';
    const { authorization, credentials, close } = await openAuthorization(options, known, services);
    const unavailable = 'no region is set: give this provider config.region in gateway.yaml, or set AWS_REGION';
    return {
      credentials: region === undefined ? credentials.map(({ id }) => ({ id, unavailable })) : credentials,
      endpoint: (model): Endpoint => {
        const family = readFamily(model);
        const buildRequestOf = (method: Method) =>
          createAddress(options, known, authorization satisfies Authorization, model, method);
        const wires = createWires(options, model, family, buildRequestOf);
        return {
          origin: { provider: 'bedrock', family },
          wires: wires.map((wire) => ({ ...wire, requestIdHeader: 'x-amzn-requestid' })),
          ...choiceOf(family, wires),
        };
      },
      ...(given(options.baseUrl) === undefined ? { modelList: createModelList(known, authorization) } : {}),
      close: () => {
        close?.();
        return Promise.resolve();
      },
    };
  },
});
