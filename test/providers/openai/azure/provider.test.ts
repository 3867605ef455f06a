import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { EndpointWire, UpstreamRequest } from '../../../../core/api/index.ts';
import { createTestServices } from '../../../../core/testing/services.ts';
import azure from '../../../../providers/openai/azure/index.ts';
import type { AzureOptions } from '../../../../providers/openai/azure/schema.ts';

const endpoint = 'https://acme.openai.azure.com';
const create = async (options: Partial<AzureOptions> = {}) =>
  await azure.create({ endpoint, apiKey: 'azure-key-1', ...options }, createTestServices());
const wiresOf = async (options: Partial<AzureOptions>, model = 'gpt-4.1'): Promise<readonly EndpointWire[]> =>
  (await create(options)).endpoint(model).wires;
const bare = {
  model: 'gpt-4.1',
  stream: false,
  body: Buffer.from('{}'),
  headers: { 'x-own': '1' },
  signal: new AbortController().signal,
};
const requestOf = async ({ buildRequest }: EndpointWire, credential = 'key-1'): Promise<UpstreamRequest> =>
  await buildRequest({ ...bare, credential });
const pathsOf = async (options: Partial<AzureOptions>, model?: string): Promise<readonly string[]> =>
  await Promise.all(
    (await wiresOf(options, model)).map(async (wire) => `${wire.operation} ${(await requestOf(wire)).path}`),
  );

describe('Azure OpenAI: the provider', () => {
  it('the v1 API has chat completions, responses, compaction, embeddings, images and audio, without a version', async () => {
    expect(await pathsOf({})).to.deep.equal([
      'generate /openai/v1/chat/completions',
      'generate /openai/v1/responses',
      'compact /openai/v1/responses/compact',
      'embed /openai/v1/embeddings',
      'image /openai/v1/images/generations',
      'image /openai/v1/images/edits',
      'transcribe /openai/v1/audio/transcriptions',
      'translate /openai/v1/audio/translations',
      'speak /openai/v1/audio/speech',
    ]);
    expect((await pathsOf({ apiVersion: 'preview' }))[0]).to.equal(
      'generate /openai/v1/chat/completions?api-version=preview',
    );
  });

  it('the API of deployments has the deployment in its paths, and responses from their first version on', async () => {
    const options = { api: 'deployments', deployments: { 'gpt-4.1': 'team a/1' } } as const;
    expect(await pathsOf(options)).to.deep.equal([
      'generate /openai/deployments/team%20a%2F1/chat/completions?api-version=2024-10-21',
      'embed /openai/deployments/team%20a%2F1/embeddings?api-version=2024-10-21',
      'image /openai/deployments/team%20a%2F1/images/generations?api-version=2024-10-21',
      'image /openai/deployments/team%20a%2F1/images/edits?api-version=2024-10-21',
      'transcribe /openai/deployments/team%20a%2F1/audio/transcriptions?api-version=2024-10-21',
      'translate /openai/deployments/team%20a%2F1/audio/translations?api-version=2024-10-21',
      'speak /openai/deployments/team%20a%2F1/audio/speech?api-version=2024-10-21',
    ]);
    expect(await pathsOf({ ...options, apiVersion: '2025-04-01-preview' })).to.include(
      'generate /openai/responses?api-version=2025-04-01-preview',
    );
  });

  it('the API of other models has paths without a deployment', async () => {
    expect(await pathsOf({ api: 'models' }, 'grok-4')).to.deep.equal([
      'generate /models/chat/completions?api-version=2024-05-01-preview',
      'embed /models/embeddings?api-version=2024-05-01-preview',
    ]);
  });

  it('models that rerank have the API of Cohere, without a version, and nothing else', async () => {
    for (const api of ['v1', 'deployments', 'models'] as const)
      expect(await pathsOf({ api, apiVersion: '2024-10-21' }, 'Cohere-rerank-v4.0-pro')).to.deep.equal([
        'rerank /providers/cohere/v2/rerank',
      ]);
  });

  it('an endpoint behind a gateway keeps the path of the gateway', async () => {
    const paths = await pathsOf({ endpoint: 'https://apim.example/azure/', api: 'deployments' });
    expect(paths[0]).to.equal('generate /azure/openai/deployments/gpt-4.1/chat/completions?api-version=2024-10-21');
  });

  it('each key is sent as api-key, and nothing else of a credential', async () => {
    const [chat] = await wiresOf({ apiKeys: ['azure-key-2'] });
    if (chat === undefined) throw new Error('no wire');
    for (const [credential, key] of [
      ['key-1', 'azure-key-1'],
      ['key-2', 'azure-key-2'],
    ])
      expect((await requestOf(chat, credential)).headers).to.deep.equal({
        'x-own': '1',
        'content-type': 'application/json',
        'api-key': key,
      });
    expect(() => chat.buildRequest({ ...bare, credential: 'key-9' })).to.throw("no credential 'key-9'");
  });

  it('a deployment with a name of its own is named in the body, and its model decides what it can do', async () => {
    const deployments = { 'o4-mini': 'team-mini' };
    const wires = await wiresOf({ deployments }, 'o4-mini');
    const lose = () => undefined;
    for (const { edits, operation } of wires)
      expect(edits?.({ model: 'o4-mini' }, { stream: false, headers: {}, lose }), operation).to.deep.include({
        member: 'model',
        value: 'team-mini',
      });
    expect(wires[0]?.capMember).to.equal('max_completion_tokens');
    for (const { edits } of await wiresOf({ deployments }, 'gpt-4.1'))
      expect(edits?.({ model: 'gpt-4.1' }, { stream: false, headers: {}, lose }) ?? []).to.deep.equal([]);
  });

  it('models for coding are served over responses only, where the API has responses', async () => {
    for (const model of ['gpt-5-codex', 'gpt-5.1-codex', 'codex-mini', 'o3-pro']) {
      const made = (await create()).endpoint(model);
      expect(made.wires[0]?.wire, model).to.equal('responses');
      expect(made.chooseWire?.({} as never, 'chat-completions'), model).to.equal('responses');
    }
    expect((await wiresOf({ api: 'deployments' }, 'gpt-5.1-codex'))[0]?.wire).to.equal('chat-completions');
  });

  it('a stream asks for its usage, except where the version refuses the member', async () => {
    const refuses = async (options: Partial<AzureOptions>) => (await wiresOf(options))[0]?.refusesUsageOption;
    expect(await refuses({})).to.equal(undefined);
    expect(await refuses({ api: 'deployments' })).to.equal(undefined);
    expect(await refuses({ api: 'deployments', apiVersion: '2024-06-01' })).to.equal(true);
    expect(await refuses({ api: 'models' })).to.equal(undefined);
  });

  it('an identity replaces a missing key, is beside a set one, and is unavailable while a setting is empty', async () => {
    const entra = { identity: 'client-secret', tenantId: 't', clientId: 'c', clientSecret: 's' } as const;
    const idsOf = async (options: Partial<AzureOptions>) => (await create(options)).credentials.map(({ id }) => id);
    expect(await idsOf({ apiKey: '', entra })).to.deep.equal(['entra']);
    expect(await idsOf({ entra })).to.deep.equal(['key-1', 'entra']);
    expect(await idsOf({ apiKey: '' })).to.deep.equal(['key-1']);
    const { credentials } = await create({ apiKey: '', entra: { ...entra, clientSecret: '' } });
    expect(credentials[0]?.unavailable).to.contain('entra.clientSecret');
  });

  it('a provider without an endpoint is unavailable, and says which setting and which variable can have it', async () => {
    const { credentials } = await create({ endpoint: '' });
    expect(credentials.map(({ unavailable }) => unavailable)).to.deep.equal([
      'no endpoint is set: give this provider config.endpoint, or set AZURE_OPENAI_ENDPOINT',
    ]);
  });

  it('the check refuses an endpoint with the path of the API, and settings of another identity', () => {
    const check = (options: Partial<AzureOptions>) =>
      azure.check?.({ endpoint, ...options }, { models: [] }).map(({ path }) => path.join('.'));
    for (const path of ['/openai', '/openai/v1/', '/models', '/openai/deployments/gpt-4o'])
      expect(check({ endpoint: endpoint + path }), path).to.deep.equal(['endpoint']);
    expect(check({ endpoint: `${endpoint}/` })).to.deep.equal([]);
    expect(check({ endpoint: 'https://apim.example/openai-eu' })).to.deep.equal([]);
    expect(check({ entra: { identity: 'managed', tenantId: 't' } })).to.deep.equal(['entra.tenantId']);
  });

  it('the schema accepts what the README shows, and tokens are requested over TLS or loopback only', () => {
    const validate = new Ajv({ strict: false }).compile(azure.schema);
    const entra = (authority: string) => ({ endpoint, entra: { identity: 'workload', authority } });
    expect(validate({ endpoint, api: 'models', apiVersion: '2024-05-01-preview' })).to.equal(true);
    expect(validate(entra('https://login.microsoftonline.us'))).to.equal(true);
    expect(validate(entra('http://127.0.0.1:4000'))).to.equal(true);
    expect(validate(entra('http://login.example'))).to.equal(false);
    expect(validate(entra('http://localhost.example'))).to.equal(false);
    expect(validate({})).to.equal(true);
    expect(validate({ endpoint: 'acme.openai.azure.com' })).to.equal(false);
  });
});
