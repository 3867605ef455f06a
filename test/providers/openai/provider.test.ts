import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { GenerateRequest, JsonObject, Services, UpstreamRequest } from '../../../core/api/index.ts';
import openai from '../../../providers/openai/index.ts';
import { openAiSchema, type OpenAiOptions } from '../../../providers/openai/schema.ts';

const services = {} as Services;
const create = async (options?: OpenAiOptions) => await openai.create(options, services);
const speechOf = async (options: OpenAiOptions = { apiKey: 'sk-1' }, model = 'gpt-4o') => {
  const speech = (await create(options)).endpoint(model).wires[0];
  if (speech === undefined) throw new Error('speaks nothing');
  return speech;
};
const call = async (options: OpenAiOptions, credential = 'key-1', headers = {}): Promise<UpstreamRequest> =>
  (await speechOf(options)).buildRequest({
    model: 'gpt-4o',
    stream: false,
    body: Buffer.from('{}'),
    headers,
    credential,
    signal: new AbortController().signal,
  });

describe('OpenAI: the provider', () => {
  it('the openai provider serves the wires that OpenAI defined and registers their codecs', async () => {
    const endpoint = (await create({ apiKey: 'k' })).endpoint('gpt-4o');
    const own = [
      'generate chat-completions',
      'generate responses',
      'count-tokens responses',
      'compact responses',
      'embed embeddings',
      'moderate moderations',
      'image image-generations',
      'image image-edits',
      'image image-variations',
      'transcribe transcriptions',
      'translate translations',
      'speak speech',
    ];
    expect(endpoint.wires.map(({ operation, wire }) => `${operation} ${wire}`)).to.deep.equal(own);
    expect(openai.codecs?.map(({ operation, wire }) => `${operation} ${wire}`)).to.have.members([
      ...own,
      'generate completions',
      'count-tokens tokenize',
    ]);
    // Models that complete and do not chat: chat is there for a target that names it.
    for (const model of ['gpt-3.5-turbo-instruct', 'gpt-3.5-turbo-instruct-0914', 'davinci-002']) {
      const { wires, chooseWire } = (await create({ apiKey: 'k' })).endpoint(model);
      expect(wires.map(({ wire }) => wire)).to.deep.equal(['completions', 'chat-completions']);
      expect(chooseWire?.({} as GenerateRequest, 'chat-completions')).to.equal('completions');
    }
    for (const model of ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']) {
      const { wires } = (await create({ apiKey: 'k' })).endpoint(model);
      expect(wires.map(({ wire }) => wire)).to.deep.equal(['speech']);
    }
    expect(endpoint.origin).to.deep.equal({ provider: 'openai', family: 'openai' });
  });

  it('each wire corrects the usage of the vendor, unless correctUsage is false', async () => {
    for (const [correctUsage, keepsUsage] of [
      [undefined, undefined],
      [true, undefined],
      [false, true],
    ] as const) {
      const options = correctUsage === undefined ? {} : { correctUsage };
      const { wires } = (await create({ apiKey: 'k', ...options })).endpoint('gpt-4o');
      for (const wire of wires) expect(wire.keepsUsage, wire.wire).to.equal(keepsUsage);
    }
  });

  it('the provider has a separate path for each wire', async () => {
    const { wires } = (await create({ apiKey: 'k', baseUrl: 'http://127.0.0.1:8000/v1' })).endpoint('gpt-4o');
    const bare = {
      model: 'gpt-4o',
      stream: false,
      body: Buffer.from('{}'),
      headers: {},
      credential: 'key-1',
      signal: new AbortController().signal,
    };
    expect(await Promise.all(wires.map(async ({ buildRequest }) => (await buildRequest(bare)).path))).to.deep.equal([
      '/v1/chat/completions',
      '/v1/responses',
      '/v1/responses/input_tokens',
      '/v1/responses/compact',
      '/v1/embeddings',
      '/v1/moderations',
      '/v1/images/generations',
      '/v1/images/edits',
      '/v1/images/variations',
      '/v1/audio/transcriptions',
      '/v1/audio/translations',
      '/v1/audio/speech',
    ]);
  });

  it('sends the output cap as max_completion_tokens to models that reason, and keeps it for others', async () => {
    for (const model of ['o3', 'gpt-5.1'])
      expect((await speechOf({ apiKey: 'k' }, model)).capMember, model).to.equal('max_completion_tokens');
    for (const model of ['gpt-4o', 'gpt-4.1-mini', 'gpt-3.5-turbo', 'some-model'])
      expect((await speechOf({ apiKey: 'k' }, model)).capMember, model).to.equal(undefined);
  });

  it('does not offer chat-completions for models that it does not serve', async () => {
    const wires = (await create({ apiKey: 'k' }))
      .endpoint('gpt-5-codex')
      .wires.filter(({ operation }) => operation === 'generate');
    expect(wires.map(({ wire }) => wire)).to.deep.equal(['responses']);
  });

  it('the provider has one unusable credential without a key, and names the missing setting', async () => {
    for (const options of [undefined, {}, { apiKey: '' }, { apiKey: ' ' }, { apiKey: '', apiKeys: [] }]) {
      const { credentials } = await create(options);
      expect(credentials.map(({ id }) => id)).to.deep.equal(['key-1']);
      expect(credentials[0]?.unavailable).to.contain('config.apiKey').and.to.contain('gateway.yaml');
    }
  });

  it('the provider has a credential for each key, and keeps the place of an empty one', async () => {
    expect(
      (await create({ apiKey: 'a', apiKeys: ['b', '', 'd'] })).credentials.map(({ id, unavailable }) => [
        id,
        unavailable === undefined,
      ]),
    ).to.deep.equal([
      ['key-1', true],
      ['key-2', true],
      ['key-3', false],
      ['key-4', true],
    ]);
    expect((await create({ apiKeys: ['a', 'b'] })).credentials.map(({ id }) => id)).to.deep.equal(['key-1', 'key-2']);
  });

  it('calls the path below the base address with the key of the credential', async () => {
    const { origin, path, headers } = await call({ apiKey: 'sk-1', apiKeys: ['sk-2'] }, 'key-2');
    expect([origin, path]).to.deep.equal(['https://api.openai.com', '/v1/chat/completions']);
    expect(headers).to.deep.equal({ 'content-type': 'application/json', authorization: 'Bearer sk-2' });
  });

  it('the call fails with upstream_credential when the provider does not have the credential', async () => {
    const thrown = await call({ apiKey: 'sk-1' }, 'key-2').catch((error: unknown) => error);
    expect(thrown).to.include({ code: 'upstream_credential', message: "The provider has no credential 'key-2'." });
  });

  it('sends organization and project, and overrides the credentials of the call', async () => {
    const { headers } = await call({ apiKey: 'k', organization: 'o', project: 'p' }, 'key-1', {
      authorization: 'Bearer of-the-client',
      traceparent: 't',
    });
    expect(headers).to.deep.equal({
      'content-type': 'application/json',
      authorization: 'Bearer k',
      'openai-organization': 'o',
      'openai-project': 'p',
      traceparent: 't',
    });
  });

  it('accepts a base address with or without a slash, path or query', async () => {
    const target = async (baseUrl: string) => {
      const { origin, path } = await call({ apiKey: 'k', baseUrl });
      return origin + path;
    };
    expect(await target('http://127.0.0.1:8000/v1/')).to.equal('http://127.0.0.1:8000/v1/chat/completions');
    expect(await target('http://127.0.0.1:8000')).to.equal('http://127.0.0.1:8000/chat/completions');
    expect(await target('https://x.example/openai/v1?api-version=preview')).to.equal(
      'https://x.example/openai/v1/chat/completions?api-version=preview',
    );
  });

  it('the openai provider passes the bytes unchanged', async () => {
    const body = Buffer.from('{"a":1e400}');
    const { body: sent } = await (
      await speechOf()
    ).buildRequest({
      model: 'm',
      stream: true,
      body,
      headers: {},
      credential: 'key-1',
      signal: new AbortController().signal,
    });
    expect(sent).to.equal(body);
  });

  it('the provider classifies its own failures', async () => {
    const { classify } = await speechOf();
    const failureOf = (status: number, code: string | null) =>
      classify?.({ status, headers: {}, body: { error: { code } } });
    expect(failureOf(403, 'model_not_found')).to.equal('model-access');
    expect(failureOf(404, 'model_not_found')).to.equal(undefined);
    expect(failureOf(429, 'billing_not_active')).to.equal('quota');
    expect(failureOf(503, 'slow_down')).to.equal('overloaded');
    expect(failureOf(400, null)).to.equal(undefined);
    expect(classify?.({ status: 500, headers: {}, body: '<html>' })).to.equal(undefined);
  });
});

describe('OpenAI: provider configuration', () => {
  const validate = new Ajv({ strict: true, allowUnionTypes: true, useDefaults: true }).compile(openAiSchema);
  it('the configuration has defaults and rejects unknown properties', () => {
    const config: JsonObject = {};
    expect(validate(config)).to.equal(true);
    expect(config).to.deep.equal({
      apiKey: '',
      apiKeys: [],
      correctUsage: true,
      baseUrl: 'https://api.openai.com/v1',
      organization: '',
      project: '',
    });
    expect(validate({ apikey: 'x' })).to.equal(false);
    expect(validate({ baseUrl: 'api.openai.com' })).to.equal(false);
    expect(validate({ apiKeys: 'x' })).to.equal(false);
  });
  it('the configuration schema describes every property', () => {
    for (const [name, property] of Object.entries(openAiSchema['properties'] as Record<string, JsonObject>)) {
      expect(property['description'], name).to.be.a('string').and.not.equal('');
      expect(property, name).to.have.property('default');
    }
  });
});
