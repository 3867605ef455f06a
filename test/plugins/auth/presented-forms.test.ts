import { expect } from 'chai';
import { alice, createAuth, createHead, createKnownKeys, createRecord, settle } from './auth-setup.ts';

const secret = 'koine_secret';
type Case = readonly [
  title: string,
  headers: Readonly<Record<string, string>>,
  query?: Readonly<Record<string, string>>,
];

const accepted: readonly Case[] = [
  ['a bearer token', { authorization: `Bearer ${secret}` }],
  ['a bearer token with the scheme in small letters', { authorization: `bearer ${secret}` }],
  ['a bearer token with the scheme in capitals', { authorization: `BEARER ${secret}` }],
  ['a bearer token behind several spaces', { authorization: `Bearer   ${secret} ` }],
  ['x-api-key', { 'x-api-key': secret }],
  ['x-alt-api-key', { 'x-alt-api-key': secret }],
  ['x-goog-api-key', { 'x-goog-api-key': secret }],
  ['key in the query', {}, { key: secret }],
  ['a key beside an empty bearer token', { authorization: 'Bearer ', 'x-goog-api-key': secret }],
  ['a key beside another scheme', { authorization: 'Basic YTpi', 'x-api-key': secret }],
  ['a key beside empty headers', { authorization: '', 'x-api-key': '', 'x-alt-api-key': '' }, { key: secret }],
];

const refused: readonly Case[] = [
  ['no key', {}],
  ['another scheme', { authorization: `Basic ${secret}` }],
  ['no scheme', { authorization: secret }],
  ['a scheme and no token', { authorization: 'Bearer' }],
  ['a scheme glued to the token', { authorization: `Bearer${secret}` }],
  ['two tokens', { authorization: `Bearer ${secret} ${secret}` }],
  ['a header sent twice', { 'x-api-key': `${secret}, ${secret}` }],
  [
    'a header that is none of ours',
    { 'api-key': secret, cookie: `key=${secret}`, 'proxy-authorization': `Bearer ${secret}` },
  ],
  ['a query that is none of ours', {}, { api_key: secret, access_token: secret }],
  ['a wrong bearer token beside a good key', { authorization: 'Bearer wrong', 'x-api-key': secret }],
];

describe('the places of a key in a request', () => {
  for (const wire of ['chat-completions', 'responses', 'messages', 'generate-content', 'embeddings']) {
    for (const [title, headers, query] of accepted) {
      it(`auth accepts ${title} on ${wire}`, async () => {
        const { identify } = await createAuth(createKnownKeys({ alice: createRecord(secret) }));
        expect(identify(createHead(headers, wire, query))).to.equal(alice);
      });
    }
  }

  for (const [title, headers, query] of refused) {
    it(`auth refuses a request with ${title}`, async () => {
      const { identify } = await createAuth(createKnownKeys({ alice: createRecord(secret) }));
      expect(await settle(() => identify(createHead(headers, 'chat-completions', query)))).to.include({
        code: 'invalid_api_key',
      });
    });
  }

  const both = {
    authorization: 'Bearer from-authorization',
    'x-api-key': 'from-x-api-key',
    'x-alt-api-key': 'from-alt',
    'x-goog-api-key': 'from-goog',
  };
  for (const [wire, text] of [
    ['messages', 'from-x-api-key'],
    ['chat-completions', 'from-authorization'],
    ['responses', 'from-authorization'],
    ['generate-content', 'from-authorization'],
    ['embeddings', 'from-authorization'],
  ] as const) {
    it(`uses one key of several on ${wire}: the one ${text}`, async () => {
      const keys = createKnownKeys({ alice: createRecord(text) });
      const { identify } = await createAuth(keys);
      expect(identify(createHead(both, wire, { key: 'from-query' }))).to.equal(alice);
      expect(keys.lookups).to.deep.equal([text]);
    });
  }

  it('tries the remaining places in order: x-alt-api-key, x-goog-api-key, query', async () => {
    const keys = createKnownKeys({});
    const { identify } = await createAuth(keys);
    await settle(() =>
      identify(createHead({ 'x-alt-api-key': 'alt', 'x-goog-api-key': 'goog' }, 'generate-content', { key: 'query' })),
    );
    await settle(() => identify(createHead({ 'x-goog-api-key': 'goog' }, 'generate-content', { key: 'query' })));
    expect(keys.lookups).to.deep.equal(['alt', 'goog']);
  });

  it('does not look up a key of more than 512 characters', async () => {
    const text = 'x'.repeat(512);
    const keys = createKnownKeys({ longest: createRecord(text), longer: createRecord(`${text}x`) });
    const { identify } = await createAuth(keys);
    expect(identify(createHead({ authorization: `Bearer ${text}` }))).to.equal(alice);
    for (const head of [
      createHead({ authorization: `Bearer ${text}x` }),
      createHead({ 'x-api-key': `${text}x` }),
      createHead({}, 'generate-content', { key: `${text}x` }),
    ]) {
      expect(await settle(() => identify(head))).to.include({ code: 'invalid_api_key' });
    }
    expect(keys.lookups).to.deep.equal([text]);
  });
});
