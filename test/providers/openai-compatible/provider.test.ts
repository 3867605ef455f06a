import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { JsonObject, UpstreamRequest } from '../../../core/api/index.ts';
import compatible from '../../../providers/openai-compatible/index.ts';
import type { CompatibleOptions } from '../../../providers/openai-compatible/schema.ts';

const create = (options: Partial<CompatibleOptions> = {}) =>
  compatible.create({ baseUrl: 'http://127.0.0.1:8000/v1', ...options }, undefined as never);
const speaksOf = async (options: Partial<CompatibleOptions> = {}) => (await create(options)).endpoint('any').wires;
const call = {
  model: 'm',
  stream: false,
  body: Buffer.from('{}'),
  headers: {},
  credential: 'none',
  signal: new AbortController().signal,
};
const addressOf = async (
  options: Partial<CompatibleOptions>,
  changes: Partial<typeof call> = {},
  wire = 'chat-completions',
): Promise<UpstreamRequest | undefined> =>
  (await speaksOf(options)).find((speech) => speech.wire === wire)?.buildRequest({ ...call, ...changes });
const editsOf = async (wire: string, body: JsonObject) =>
  (await speaksOf())
    .find((speech) => speech.wire === wire)
    ?.edits?.(body, { stream: false, headers: {}, lose: () => undefined });

describe('openai-compatible: the provider', () => {
  it('serves the configured wires, by default chat-completions and embeddings', async () => {
    const spoken = async (options?: Partial<CompatibleOptions>) =>
      (await speaksOf(options)).map(({ operation, wire }) => [operation, wire]);
    expect(await spoken()).to.deep.equal([
      ['generate', 'chat-completions'],
      ['embed', 'embeddings'],
    ]);
    expect(await spoken({ wires: ['responses', 'chat-completions'] })).to.deep.equal([
      ['generate', 'responses'],
      ['generate', 'chat-completions'],
    ]);
    expect((await create()).endpoint('any').origin).to.deep.equal({
      provider: 'openai-compatible',
      family: 'openai-compatible',
    });
  });

  it('compacts conversations only where the settings have the path, beside the responses wire', async () => {
    const paths = { compact: '/responses/compact' };
    const speaks = await speaksOf({ wires: ['responses'], paths });
    expect(speaks.map(({ operation, wire }) => [operation, wire])).to.deep.equal([
      ['generate', 'responses'],
      ['compact', 'responses'],
    ]);
    expect(await Promise.all(speaks.map(async ({ buildRequest }) => (await buildRequest(call)).path))).to.deep.equal([
      '/v1/responses',
      '/v1/responses/compact',
    ]);
    expect((await speaksOf({ wires: ['chat-completions'], paths })).map(({ operation }) => operation)).to.deep.equal([
      'generate',
    ]);
  });

  it('the openai-compatible provider defines the wire that no vendor of its own has', () => {
    expect(compatible.codecs?.map(({ operation, wire }) => `${operation} ${wire}`)).to.deep.equal(['rerank rerank']);
  });

  it('declares that tools of its models take JSON', () => {
    expect(compatible.models).to.deep.equal([{ prefix: '', capabilities: { customTools: false } }]);
  });

  it('calls a local server without a key and without authorization', async () => {
    for (const options of [{}, { apiKey: '' }, { apiKey: ' ', apiKeys: [''] }]) {
      expect((await create(options)).credentials.map(({ id }) => id)).to.deep.equal(['none']);
      expect(await addressOf(options)).to.deep.include({
        origin: 'http://127.0.0.1:8000',
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json' },
      });
    }
  });

  it('sends each key as a bearer token', async () => {
    const options = { apiKey: 'a', apiKeys: ['b'] };
    expect((await create(options)).credentials.map(({ id }) => id)).to.deep.equal(['key-1', 'key-2']);
    expect((await addressOf(options, { credential: 'key-1' }))?.headers['authorization']).to.equal('Bearer a');
    expect((await addressOf(options, { credential: 'key-2' }))?.headers['authorization']).to.equal('Bearer b');
  });

  it('the version of a credential changes with its key, headers and query, and with nothing else', async () => {
    const versionOf = async (options: object) => (await create(options)).credentials[0]?.version;
    const first = await versionOf({ apiKey: 'a' });
    expect(await versionOf({ apiKey: ' a ', apiKeys: ['b'], baseUrl: 'https://example.com' })).to.equal(first);
    const others = [
      { apiKey: 'b' },
      { apiKey: 'a', headers: { 'x-key': '1' } },
      { apiKey: 'a', query: { key: '1' } },
      {},
    ];
    const versions = await Promise.all([{ apiKey: 'a' }, ...others].map(versionOf));
    expect(new Set(versions)).to.have.property('size', 5);
  });

  it('calls each wire below the base address, with the query of the address', async () => {
    const baseUrl = 'https://example.com/openai/deployments/d/?api-version=2024-10-21';
    expect(await addressOf({ baseUrl })).to.include({
      origin: 'https://example.com',
      path: '/openai/deployments/d/chat/completions?api-version=2024-10-21',
    });
    expect(await addressOf({ baseUrl }, {}, 'embeddings')).to.include({
      path: '/openai/deployments/d/embeddings?api-version=2024-10-21',
    });
    expect(await addressOf({ baseUrl: 'http://127.0.0.1:1234', wires: ['responses'] }, {}, 'responses')).to.include({
      path: '/responses',
    });
  });

  it('adds the configured headers, which override all others', async () => {
    const headers = { 'API-Key': 'k', 'authorization': 'Token t' };
    expect(
      (await addressOf({ apiKey: 'a', headers }, { credential: 'key-1', headers: { 'x-codec': '1' } }))?.headers,
    ).to.deep.equal({
      'x-codec': '1',
      'content-type': 'application/json',
      'authorization': 'Token t',
      'api-key': 'k',
    });
  });

  it('writes the output cap as max_tokens, which all servers support', async () => {
    const capMembers = Object.fromEntries(
      (await speaksOf({ apiKey: 'a', wires: ['chat-completions', 'responses', 'embeddings'] })).map(
        ({ wire, capMember }) => [wire, capMember],
      ),
    );
    expect(capMembers).to.deep.equal({
      'chat-completions': 'max_tokens',
      'responses': undefined,
      'embeddings': undefined,
    });
  });

  it('writes the developer role as system', async () => {
    const messages = [
      { role: 'developer', content: 'Be brief.', name: 'n' },
      { role: 'user', content: 'developer' },
      null,
    ];
    expect(await editsOf('chat-completions', { messages })).to.deep.equal([
      {
        member: 'messages',
        value: [{ role: 'system', content: 'Be brief.', name: 'n' }, { role: 'user', content: 'developer' }, null],
      },
    ]);
    expect(await editsOf('chat-completions', { messages: [{ role: 'system', content: 'Hi' }] })).to.deep.equal([]);
  });

  it('removes an encoding_format that is null', async () => {
    expect(await editsOf('embeddings', { input: 'a', encoding_format: null })).to.deep.equal([
      { member: 'encoding_format', value: undefined },
    ]);
    for (const body of [{ input: 'a' }, { input: 'a', encoding_format: 'base64' }])
      expect(await editsOf('embeddings', body)).to.deep.equal([]);
  });

  it('the provider has a schema that describes every property and rejects invalid values', () => {
    const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(compatible.schema);
    const baseUrl = 'http://127.0.0.1:8000/v1';
    for (const good of [
      { baseUrl },
      { baseUrl, apiKey: '', apiKeys: ['a'], headers: { 'api-key': 'k' }, wires: ['responses'] },
    ])
      expect(validate(good), JSON.stringify(validate.errors)).to.equal(true);
    const bad = [
      {},
      { baseUrl: '127.0.0.1:8000' },
      { baseUrl, apikey: 'a' },
      { baseUrl, wires: [] },
      { baseUrl, wires: ['generate-content'] },
      { baseUrl, headers: { 'a b': 'c' } },
      { baseUrl, headers: { a: 'b\r\nc: d' } },
    ];
    for (const config of bad) expect(validate(config), JSON.stringify(config)).to.equal(false);
    const properties = compatible.schema['properties'] as Readonly<Record<string, JsonObject>>;
    for (const property of Object.values(properties)) expect(property).to.include.keys('description');
  });
});
