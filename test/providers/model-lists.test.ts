import { expect } from 'chai';
import type { OfferedModel, ProviderInstance, UpstreamRequest } from '../../core/api/index.ts';
import { createTestServices } from '../../core/testing/index.ts';
import anthropic from '../../providers/anthropic/index.ts';
import bedrock from '../../providers/bedrock/index.ts';
import cohere from '../../providers/cohere/index.ts';
import { createVertex } from '../../providers/google/vertex/index.ts';
import mistral from '../../providers/mistral/index.ts';
import ollama from '../../providers/ollama/index.ts';
import openai from '../../providers/openai/index.ts';
import azure from '../../providers/openai/azure/index.ts';
import { verify } from './identity/aws/verify-signature.ts';
import { serviceAccount, startTokenServer } from './google/vertex/token-server.ts';

const KEY = 'vendor-key-0123456789';

interface Listed {
  readonly models: readonly OfferedModel[];
  readonly requests: readonly UpstreamRequest[];
}

/** Reads all pages. @param bodies the response to each path */
const listAll = async (
  { modelList, credentials }: ProviderInstance,
  bodies: Readonly<Record<string, object>>,
): Promise<Listed> => {
  if (modelList === undefined) throw new Error('has no list');
  const [credential] = credentials;
  await credential?.ready?.();
  const requests: UpstreamRequest[] = [];
  const models: OfferedModel[] = [];
  let after: string | undefined;
  do {
    const call = { credential: credential?.id ?? '', signal: new AbortController().signal };
    const request = await modelList.buildRequest(after === undefined ? call : { ...call, after });
    requests.push(request);
    const body = bodies[request.path];
    if (body === undefined) throw new Error(`unexpected path ${request.path}`);
    const page = modelList.read(body);
    models.push(...page.models);
    after = page.next;
  } while (after !== undefined);
  return { models, requests };
};

describe('lists of models at vendors', () => {
  it('mistral: by capabilities, with the date on which a model ends', async () => {
    const made = await mistral.create({ apiKey: KEY }, createTestServices());
    const { models, requests } = await listAll(made, {
      '/v1/models': {
        object: 'list',
        data: [
          {
            id: 'mistral-medium-latest',
            capabilities: { completion_chat: true, function_calling: true },
            max_context_length: 131_072,
            deprecation: null,
          },
          {
            id: 'open-mistral-7b',
            capabilities: { completion_chat: true },
            max_context_length: 32_768,
            deprecation: '2027-03-30T12:00:00Z',
          },
          { id: 'mistral-embed', capabilities: { completion_chat: false }, max_context_length: 8_192 },
          { id: 'voxtral-mini-transcribe-2507', capabilities: { completion_chat: false }, max_context_length: 16_384 },
          { id: 'mistral-ocr-latest', capabilities: { completion_chat: false }, max_context_length: 16_384 },
        ],
      },
    });
    expect(requests[0]?.headers['authorization']).to.equal(`Bearer ${KEY}`);
    expect(models).to.deep.equal([
      { name: 'mistral-medium-latest', operations: ['generate'], contextTokens: 131_072 },
      { name: 'open-mistral-7b', operations: ['generate'], contextTokens: 32_768, ends: '2027-03-30' },
      { name: 'mistral-embed', operations: ['embed'], contextTokens: 8_192 },
      { name: 'voxtral-mini-transcribe-2507', operations: ['transcribe'], contextTokens: 16_384 },
      { name: 'mistral-ocr-latest', operations: [], contextTokens: 16_384 },
    ]);
  });

  it('openai: by names, without models for what the gateway does not serve', async () => {
    const made = await openai.create({ apiKey: KEY }, createTestServices());
    const operations = {
      'gpt-4.1': ['generate'],
      'text-embedding-3-small': ['embed'],
      'omni-moderation-latest': ['moderate'],
      'gpt-image-1.5': ['image'],
      'gpt-4o-mini-tts': ['speak'],
      'whisper-1': ['transcribe', 'translate'],
      'gpt-4o-transcribe': ['transcribe'],
      'gpt-realtime-whisper': [],
      'sora-2': [],
    };
    const { models } = await listAll(made, { '/v1/models': { data: Object.keys(operations).map((id) => ({ id })) } });
    expect(Object.fromEntries(models.map((model) => [model.name, model.operations]))).to.deep.equal(operations);
  });

  it('cohere: by endpoints, over all pages, without what is deprecated', async () => {
    const made = await cohere.create({ apiKey: KEY }, createTestServices());
    const { models } = await listAll(made, {
      '/v1/models?page_size=1000': {
        models: [
          { name: 'command-a-03-2025', is_deprecated: false, endpoints: ['generate', 'chat'], context_length: 288_000 },
          { name: 'command', is_deprecated: true, endpoints: ['chat'], context_length: 4_096 },
        ],
        next_page_token: 'n2',
      },
      '/v1/models?page_size=1000&page_token=n2': {
        models: [
          { name: 'embed-v4.0', endpoints: ['embed', 'classify'], context_length: 128_000 },
          { name: 'rerank-v3.5', endpoints: ['rerank'], context_length: 4_096 },
        ],
        next_page_token: '',
      },
    });
    expect(models).to.deep.equal([
      { name: 'command-a-03-2025', operations: ['generate'], contextTokens: 288_000 },
      { name: 'embed-v4.0', operations: ['embed'], contextTokens: 128_000 },
      { name: 'rerank-v3.5', operations: ['rerank'], contextTokens: 4_096 },
    ]);
  });

  it('ollama: the models of the server, without the default tag', async () => {
    const made = await ollama.create({}, createTestServices());
    const tags = { models: [{ name: 'llama3.2:latest' }, { name: 'qwen3:14b' }] };
    const { models, requests } = await listAll(made, { '/api/tags': tags });
    expect(requests[0]?.headers).not.to.have.property('authorization');
    expect(models).to.deep.equal([{ name: 'llama3.2' }, { name: 'qwen3:14b' }]);
  });

  it('azure-openai: the models of the resource on both versions of its API', async () => {
    const listed = {
      data: [
        {
          id: 'gpt-4.1-2025-04-14',
          capabilities: { chat_completion: true, inference: true },
          deprecation: { inference: 1_807_833_600 },
        },
        { id: 'text-embedding-3-small', capabilities: { embeddings: true } },
        { id: 'whisper-001', capabilities: { chat_completion: false } },
      ],
    };
    const endpoint = 'https://acme.openai.azure.com';
    for (const [api, path] of [
      ['v1', '/openai/v1/models'],
      ['deployments', '/openai/models?api-version=2024-10-21'],
    ] as const) {
      const made = await azure.create({ endpoint, apiKey: KEY, api }, createTestServices());
      const { models, requests } = await listAll(made, { [path]: listed });
      expect(requests[0]?.headers['api-key']).to.equal(KEY);
      expect(models).to.deep.equal([
        { name: 'gpt-4.1-2025-04-14', operations: ['generate'], ends: '2027-04-16' },
        { name: 'text-embedding-3-small', operations: ['embed'] },
        { name: 'whisper-001', operations: [] },
      ]);
    }
    const others = await azure.create({ endpoint, apiKey: KEY, api: 'models' }, createTestServices());
    expect(others.modelList).to.equal(undefined);
  });

  it('vertex: the models of both publishers, charged to the project', async () => {
    const server = await startTokenServer();
    const closers: (() => unknown)[] = [];
    try {
      const made = await createVertex(anthropic).create(
        { project: 'acme', location: 'europe-west1', credentials: JSON.stringify(serviceAccount(server)) },
        createTestServices({
          shared: (_key, create, dispose) => {
            const value = create();
            closers.push(() => dispose?.(value));
            return value;
          },
        }),
      );
      const name = (publisher: string, model: string) => ({ name: `publishers/${publisher}/models/${model}` });
      const { models, requests } = await listAll(made, {
        '/v1beta1/publishers/google/models?pageSize=100': {
          publisherModels: [name('google', 'gemini-2.5-flash')],
          nextPageToken: 'p/2=',
        },
        '/v1beta1/publishers/google/models?pageSize=100&pageToken=p%2F2%3D': {
          publisherModels: [name('google', 'gemini-3.8-flash')],
        },
        '/v1beta1/publishers/anthropic/models?pageSize=100': {
          publisherModels: [name('anthropic', 'claude-sonnet-4-6')],
        },
      });
      expect(models.map((model) => model.name)).to.deep.equal([
        'gemini-2.5-flash',
        'gemini-3.8-flash',
        'claude-sonnet-4-6',
      ]);
      for (const { origin, method, headers } of requests) {
        expect([origin, method]).to.deep.equal(['https://europe-west1-aiplatform.googleapis.com', 'GET']);
        expect(headers).to.include({ 'x-goog-user-project': 'acme' }).and.to.have.property('authorization');
      }
      const express = await createVertex(anthropic).create({ apiKey: KEY }, createTestServices());
      expect(express.modelList).to.equal(undefined);
    } finally {
      for (const close of closers) await close();
      await server.stop();
    }
  });

  const bedrockBodies = {
    '/foundation-models': {
      modelSummaries: [
        {
          modelId: 'amazon.nova-micro-v1:0',
          inferenceTypesSupported: ['ON_DEMAND'],
          outputModalities: ['TEXT'],
          modelLifecycle: { status: 'LEGACY', endOfLifeTime: '2027-06-30T00:00:00Z' },
        },
        { modelId: 'anthropic.claude-sonnet-4-6', inferenceTypesSupported: ['INFERENCE_PROFILE'] },
        { modelId: 'amazon.titan-image', inferenceTypesSupported: ['ON_DEMAND'], outputModalities: ['IMAGE'] },
        { modelId: 'amazon.rerank-v1:0', inferenceTypesSupported: ['ON_DEMAND'], outputModalities: ['TEXT'] },
        { modelId: 'stability.sd3-5-large-v1:0', inferenceTypesSupported: ['ON_DEMAND'], outputModalities: ['IMAGE'] },
      ],
    },
    '/inference-profiles?maxResults=1000': {
      inferenceProfileSummaries: [{ inferenceProfileId: 'global.anthropic.claude-sonnet-4-6' }],
      nextToken: 'a/b+c=',
    },
    '/inference-profiles?maxResults=1000&nextToken=a%2Fb%2Bc%3D': {
      inferenceProfileSummaries: [{ inferenceProfileId: 'us.amazon.nova-2-lite-v1:0' }],
    },
  };
  const offered = [
    { name: 'amazon.nova-micro-v1:0', operations: ['generate'], ends: '2027-06-30' },
    { name: 'amazon.titan-image', operations: [] },
    { name: 'amazon.rerank-v1:0', operations: ['rerank'] },
    { name: 'stability.sd3-5-large-v1:0', operations: ['image'] },
    { name: 'global.anthropic.claude-sonnet-4-6' },
    { name: 'us.amazon.nova-2-lite-v1:0' },
  ];

  it('bedrock: models that have a name of their own and inference profiles, over all pages, each request signed', async () => {
    const secretAccessKey = 'aws-secret-0123456789';
    const settings = { region: 'us-west-2', accessKeyId: 'AKIDEXAMPLE', secretAccessKey };
    const made = await bedrock.create(settings, createTestServices());
    const { models, requests } = await listAll(made, bedrockBodies);
    expect(models).to.deep.equal(offered);
    for (const request of requests) {
      expect(request.origin).to.equal('https://bedrock.us-west-2.amazonaws.com');
      expect(verify(request, secretAccessKey), request.path).to.equal(true);
      expect(verify(request, 'another secret'), request.path).to.equal(false);
    }
    await made.close?.();
  });

  it('bedrock: a bearer key is sent, and another address than that of the region has no list', async () => {
    const made = await bedrock.create({ region: 'us-west-2', apiKey: KEY }, createTestServices());
    const { models, requests } = await listAll(made, bedrockBodies);
    expect(models).to.deep.equal(offered);
    expect(new Set(requests.map(({ headers }) => headers['authorization']))).to.deep.equal(new Set([`Bearer ${KEY}`]));
    const elsewhere = { region: 'us-west-2', apiKey: KEY, baseUrl: 'https://vpce.example' };
    expect((await bedrock.create(elsewhere, createTestServices())).modelList).to.equal(undefined);
  });
});
