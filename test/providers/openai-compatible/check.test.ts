import { expect } from 'chai';
import compatible from '../../../providers/openai-compatible/index.ts';
import { createCompatibleProvider } from '../../../providers/openai-compatible/create-provider.ts';
import type { CompatibleOptions } from '../../../providers/openai-compatible/schema.ts';

const findingsOf = (options: Partial<CompatibleOptions>): readonly string[] =>
  (compatible.check?.({ baseUrl: 'https://acme.example/v1', ...options }, { models: [] }) ?? []).map(
    ({ path, message, severity = 'error' }) => `${severity} ${path.join('.')}: ${message}`,
  );

const refused: readonly (readonly [what: string, options: Partial<CompatibleOptions>, finding: RegExp])[] = [
  [
    'a header of the connection',
    { headers: { 'Transfer-Encoding': 'x' } },
    /^error headers\.Transfer-Encoding: .*Remove/,
  ],
  ['a header listed twice', { headers: { 'X-A': '1', 'x-a': '2' } }, /^error headers\.x-a: .*listed twice/],
  [
    'a header that is also that of the key',
    { auth: { header: 'api-key' }, headers: { 'API-Key': 'k' } },
    /^error headers\.API-Key: auth sends the API key in the header api-key/,
  ],
  ['a key in a header of the gateway', { auth: { header: 'Content-Type' } }, /^error auth\.header: .*content-type/],
  ['a prefix without its space', { auth: { prefix: 'Token' } }, /^warning auth\.prefix: .*no space/],
  ['a path that climbs', { paths: { chat: '/a/../b' } }, /^error paths\.chat: .*segments/],
  [
    'a path without its wire',
    { paths: { responses: '/r' }, wires: ['embeddings'] },
    /^warning paths\.responses: .*add responses/,
  ],
  ['a parameter given twice', { baseUrl: 'https://a.example?v=1', query: { v: '2' } }, /^error query\.v: baseUrl has/],
  ['a chain of renames', { body: { rename: { a: 'b', b: 'c' } } }, /^error body\.rename\.a: b is renamed as well/],
  ['a cycle of renames', { body: { rename: { a: 'b', b: 'a' } } }, /a cycle/],
  ['a rename to itself', { body: { rename: { a: 'a' } } }, /a cycle/],
  ['two renames to one name', { body: { rename: { a: 'c', b: 'c' } } }, /^error body\.rename\.a: Two members/],
  ['a rename to the model', { body: { rename: { a: 'model' } } }, /^error body\.rename\.a: The gateway sets model/],
  ['a model in set', { body: { set: { model: 'x' } } }, /^error body\.set\.model: The gateway sets model/],
  ['a stream in set', { body: { set: { stream: false } } }, /^error body\.set\.stream/],
  ['messages in remove', { body: { remove: ['messages'] } }, /^error body\.remove\.0: The server needs messages/],
  ['a member in set and in remove', { body: { set: { a: 1 }, remove: ['a'] } }, /^error body\.set\.a: a is in remove/],
  [
    'a member in rename and in remove',
    { body: { rename: { a: 'b' }, remove: ['a'] } },
    /^error body\.remove\.0: a is in rename/,
  ],
  [
    'a member in set that another is renamed to',
    { body: { rename: { a: 'b' }, set: { b: 1 } } },
    /^error body\.set\.b/,
  ],
  [
    'a member named __proto__',
    { body: { set: JSON.parse('{"__proto__":1}') as Record<string, unknown> } },
    /^error body\.set\.__proto__/,
  ],
];

describe('the settings of openai-compatible', () => {
  for (const [what, options, finding] of refused)
    it(`reports ${what}`, () => {
      expect(findingsOf(options).join('\n')).to.match(finding);
    });

  it('accepts settings without a contradiction, and the earlier ways to send a key', () => {
    const valid: readonly Partial<CompatibleOptions>[] = [
      { headers: { 'api-key': 'k', 'authorization': 'Token t' } },
      { auth: { header: 'api-key' }, apiKey: 'a', headers: { 'x-team': 't' }, query: { v: '1' } },
      { auth: { prefix: 'Token ' }, paths: { chat: '/{model}/chat', embeddings: '' } },
      { body: { rename: { model: 'deployment', max_tokens: 'cap' }, remove: ['user'], set: { safe: true } } },
      { body: { remove: ['model'] } },
    ];
    for (const options of valid) expect(findingsOf(options)).to.deep.equal([]);
  });

  it('a vendor presets settings, which the configuration can change', async () => {
    const acme = createCompatibleProvider({
      name: 'acme',
      baseUrl: 'https://api.acme.example/v1',
      env: 'ACME_API_KEY',
      quirks: { auth: { header: 'x-api-key' }, paths: { chat: '/talk' }, wires: ['chat-completions'] },
    });
    const call = { model: 'm', stream: false, body: Buffer.from('{}'), headers: {}, credential: 'key-1' };
    const requestOf = async (options: Partial<CompatibleOptions>) => {
      const { endpoint } = await acme.create({ apiKey: 'k', ...options }, undefined as never);
      const { signal } = new AbortController();
      return endpoint('m').wires[0]?.buildRequest({ ...call, signal });
    };
    expect(await requestOf({})).to.deep.include({ origin: 'https://api.acme.example', path: '/v1/talk' });
    expect((await requestOf({}))?.headers)
      .to.include({ 'x-api-key': 'k' })
      .and.not.have.property('authorization');
    expect((await requestOf({ auth: { prefix: 'Key ' } }))?.headers).to.include({ authorization: 'Key k' });
    expect(await requestOf({ baseUrl: 'http://127.0.0.1:1' })).to.include({ origin: 'http://127.0.0.1:1' });
    expect((await acme.create({}, undefined as never)).credentials[0]).to.have.property('unavailable');
    expect(acme.schema).to.have.nested.property('properties.paths.default').that.deep.equals({ chat: '/talk' });
    expect(acme.init?.env).to.deep.equal(['ACME_API_KEY']);
    const origin = { provider: 'acme', family: 'acme' };
    expect((await acme.create({}, undefined as never)).endpoint('m').origin).to.deep.equal(origin);
  });
});
