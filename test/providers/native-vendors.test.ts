import Ajv from 'ajv';
import { expect } from 'chai';
import type { Services, UpstreamCall } from '../../core/api/index.ts';
import cohere from '../../providers/cohere/index.ts';
import mistral from '../../providers/mistral/index.ts';
import ollama from '../../providers/ollama/index.ts';
import { priceLaws } from './price-laws.ts';

const services = {} as Services;
const call: UpstreamCall = {
  model: 'm',
  stream: false,
  body: Buffer.from('{}'),
  headers: {},
  credential: 'key-1',
  signal: new AbortController().signal,
};

describe('the prices of Cohere', () => priceLaws(cohere.prices ?? [], 'cohere.com'));
describe('the prices of Mistral', () => priceLaws(mistral.prices ?? [], 'mistral.ai'));

for (const [definition, baseUrl, paths] of [
  [cohere, 'https://api.cohere.com', ['/v2/chat', '/v2/embed', '/v2/rerank']],
  [
    mistral,
    'https://api.mistral.ai',
    ['/v1/chat/completions', '/v1/embeddings', '/v1/moderations', '/v1/audio/transcriptions'],
  ],
] as const)
  describe(`the provider ${definition.name}`, () => {
    const create = async (options: object) => definition.create(options, services);

    it(`has one unavailable credential of ${definition.name} without a key, and explains how to set it`, async () => {
      for (const options of [{}, { apiKey: '' }, { apiKeys: [''] }]) {
        const { credentials } = await create(options);
        expect(credentials).to.have.length(1);
        expect(credentials[0]?.unavailable).to.contain('config.apiKey');
      }
    });

    it(`sends the selected key of ${definition.name} as a bearer token, to the paths of the vendor`, async () => {
      const { wires } = (await create({ apiKey: 'a', apiKeys: ['b'] })).endpoint('m');
      const requests = await Promise.all(wires.map((wire) => wire.buildRequest({ ...call, credential: 'key-2' })));
      expect(requests.map(({ origin, path }) => [origin, path])).to.deep.equal(paths.map((path) => [baseUrl, path]));
      for (const { headers } of requests) expect(headers['authorization']).to.equal('Bearer b');
      expect(() => wires[0]?.buildRequest({ ...call, credential: 'key-3' })).to.throw("no credential 'key-3'");
    });
  });

describe('the provider ollama', () => {
  const create = async (options: object) => ollama.create(options, services);

  it('calls a server of its own without a key, and a hosted one with the selected key', async () => {
    const own = await create({});
    expect(own.credentials).to.deep.equal([{ id: 'none' }]);
    const [chat] = own.endpoint('m').wires;
    expect(await chat?.buildRequest({ ...call, credential: 'none' })).to.deep.include({
      origin: 'http://127.0.0.1:11434',
      path: '/api/chat',
      headers: { 'content-type': 'application/json' },
    });
    const hosted = await create({ baseUrl: 'https://ollama.com/', apiKey: ' a ' });
    expect(hosted.credentials.map(({ id }) => id)).to.deep.equal(['key-1']);
    const request = await hosted.endpoint('m').wires[0]?.buildRequest(call);
    expect([request?.origin, request?.path, request?.headers['authorization']]).to.deep.equal([
      'https://ollama.com',
      '/api/chat',
      'Bearer a',
    ]);
  });

  it('options of a request take precedence over those of the configuration of ollama', async () => {
    const [chat] = (await create({ options: { num_ctx: 8192, seed: 1 } })).endpoint('m').wires;
    const edits = chat?.edits?.({ options: { seed: 7 } }, { stream: false, headers: {}, lose: () => undefined });
    expect(edits).to.deep.equal([{ member: 'options', value: { num_ctx: 8192, seed: 7 } }]);
    expect((await create({})).endpoint('m').wires[0]).to.not.have.property('edits');
  });
});

for (const { name, schema } of [cohere, mistral, ollama])
  it(`the schema of ${name} describes every property and rejects unknown ones`, () => {
    const validate = new Ajv.default({ strict: true, strictTypes: false }).compile(schema);
    expect(validate({ apiKey: 'a', apiKeys: ['b'], baseUrl: 'https://x' })).to.equal(true);
    expect(validate({ apikey: 'a' })).to.equal(false);
    expect(validate({ baseUrl: 'api.example.com' })).to.equal(false);
    for (const property of Object.values(schema['properties'] as Record<string, object>))
      expect(property).to.include.keys('description');
  });
