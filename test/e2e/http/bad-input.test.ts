import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { wires, type Wire } from '../../matrix/wires.ts';
import { greet, helloFor, pathOf } from '../../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import { readRefusal, type Refusal } from '../../support/refusals.ts';
import { CHAT, GOOGLE, MESSAGES, startScene, type Scene } from '../../support/scene.ts';

/** Of another wire: whatever passes the reader has to survive the translation too. */
const models: Readonly<Record<Wire, string>> = { chat: MESSAGES, messages: CHAT, responses: GOOGLE, google: MESSAGES };

interface Words {
  readonly status: number;
  readonly type: string;
}
/** How each wire says what its request cannot be. */
const openAi = (status: number): Words => ({ status, type: 'invalid_request_error' });
const badRequest: Readonly<Record<Wire, Words>> = {
  chat: openAi(400),
  messages: openAi(400),
  responses: openAi(400),
  google: { status: 400, type: 'INVALID_ARGUMENT' },
};
const badEncoding: Readonly<Record<Wire, Words>> = {
  chat: openAi(415),
  messages: openAi(415),
  responses: openAi(415),
  google: { status: 415, type: 'INVALID_ARGUMENT' },
};
const tooLarge: Readonly<Record<Wire, Words>> = {
  chat: openAi(413),
  messages: { status: 413, type: 'request_too_large' },
  responses: openAi(413),
  google: { status: 400, type: 'INVALID_ARGUMENT' },
};
const noModel: Readonly<Record<Wire, Words>> = {
  chat: openAi(404),
  messages: { status: 404, type: 'not_found_error' },
  responses: openAi(400),
  google: { status: 404, type: 'NOT_FOUND' },
};

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);
/** Google's has the model in the path, and may repeat it. */
const good = (client: Wire): string => JSON.stringify({ ...helloFor(client, models[client]), model: models[client] });
const withMember = (client: Wire, member: string): string => `${good(client).slice(0, -1)},${member}}`;

/** What is wrong with the text itself: the body, and what the refusal says of it. */
const bodies = (client: Wire): readonly (readonly [name: string, body: string | Uint8Array, message: RegExp])[] => [
  ['an empty body', '', /empty/],
  ['blanks', ' \n ', /not valid JSON/],
  ['no JSON', 'model=x', /not valid JSON/],
  ['an array', `[${good(client)}]`, /must be a JSON object, not an array/],
  ['null', 'null', /must be a JSON object, not null/],
  ['a text', '"Hi"', /must be a JSON object, not a string/],
  ['a truncated object', good(client).slice(0, -5), /not valid JSON/],
  ['something behind the object', `${good(client)}{}`, /not valid JSON/],
  ['UTF-16', Buffer.from(`\uFEFF${good(client)}`, 'utf16le'), /not valid UTF-8|not valid JSON/],
  [
    'invalid UTF-8',
    Buffer.concat([
      Buffer.from(good(client).slice(0, -1)),
      Buffer.from(',"user":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]),
    /not valid UTF-8/,
  ],
  ['129 levels of arrays', withMember(client, `"x":${nested(128, '[', ']')}`), /nested deeper than 128/],
  [
    '129 levels of objects',
    withMember(client, `"x":${'{"a":'.repeat(128)}1${'}'.repeat(128)}`),
    /nested deeper than 128/,
  ],
  ['100,000 levels', withMember(client, `"x":${nested(100_000, '[', ']')}`), /nested deeper than 128/],
  ['100,000 levels that never close', '['.repeat(100_000), /not valid JSON/],
  ['__proto__', withMember(client, '"__proto__":{"polluted":true}'), /__proto__/],
  ['__proto__, escaped', withMember(client, '"\\u005f_proto\\u005F_":{"polluted":true}'), /__proto__/],
  ['__proto__, deep inside', withMember(client, '"metadata":{"a":[{"__proto__":{"polluted":true}}]}'), /__proto__/],
  ['a second model', withMember(client, `"model":${JSON.stringify(CHAT)}`), /more than once/],
  ['a second model, escaped', withMember(client, `"m\\u006fdel":${JSON.stringify(CHAT)}`), /more than once/],
];

describe('bad input', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ server: { port: 0, bodyLimit: '1mb' } });
    scene.upstream.answer = greet;
  });
  after(() => scene.stop());

  /** A refusal in the words of the route's wire. */
  const checkRefusal = (reply: HttpReply, client: Wire, words = badRequest): Refusal => {
    const refusal = readRefusal(reply, client, words[client].status);
    expect(refusal.type).to.equal(words[client].type);
    return refusal;
  };
  /** The gateway has come through. */
  const checkAlive = async (client: Wire): Promise<void> => {
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect(
      (await send(scene.gateway.url, { path: pathOf(client, models[client]), body: good(client) })).status,
    ).to.equal(200);
  };

  for (const client of wires) {
    const path = pathOf(client, models[client]);
    const post = (body: string | Uint8Array, headers: object = {}): Promise<HttpReply> =>
      send(scene.gateway.url, { path, body, headers: { ...goodHeaders, ...headers } });

    describe(`at ${pathOf(client, '{model}')}`, () => {
      for (const [name, body, message] of bodies(client)) {
        it(`the body is refused: ${name}`, async () => {
          expect(checkRefusal(await post(body), client).message).to.match(message);
          await checkAlive(client);
        });
      }

      it('a body with 128 levels of nesting is accepted', async () => {
        expect((await post(withMember(client, `"x":${nested(127, '[', ']')}`))).status).to.equal(200);
      });

      it('an unknown model is refused', async () => {
        for (const name of ['nobody/nothing', '__proto__', 'constructor', 'x'.repeat(5_000)]) {
          const body = JSON.stringify({ ...helloFor(client, name) });
          const refusal = checkRefusal(
            await send(scene.gateway.url, { path: pathOf(client, name), body }),
            client,
            noModel,
          );
          expect(refusal.message).to.include('does not exist').and.have.length.below(400);
          if (client === 'chat' || client === 'responses')
            expect(refusal).to.include({ code: 'model_not_found', param: 'model' });
        }
      });

      it('a body over the limit is refused by its content-length or while it arrives', async () => {
        const large = withMember(client, `"x":"${'y'.repeat(1_048_576)}"`);
        for (const body of [large, [Buffer.from(large.slice(0, 600_000)), Buffer.from(large.slice(600_000))]]) {
          const reply = await send(scene.gateway.url, { path, body });
          expect(checkRefusal(reply, client, tooLarge).message).to.include('1048576 bytes');
          expect(reply.headers.connection).to.equal('close');
        }
        await checkAlive(client);
      });

      it('an unknown or broken content encoding is refused', async () => {
        expect(
          checkRefusal(await post(good(client), { 'content-encoding': 'x-rot13' }), client, badEncoding).message,
        ).to.include("'x-rot13'");
        checkRefusal(await post(gzipSync(good(client)).subarray(0, 20), { 'content-encoding': 'gzip' }), client);
        checkRefusal(await post('no gzip at all', { 'content-encoding': 'gzip' }), client);
        await checkAlive(client);
      });

      it('E57 a gzip body is accepted, a decompression bomb is refused', async () => {
        expect((await post(gzipSync(good(client)), { 'content-encoding': 'gzip' })).status).to.equal(200);
        const bomb = gzipSync(withMember(client, `"x":"${'y'.repeat(50 * 1_048_576)}"`));
        checkRefusal(await post(bomb, { 'content-encoding': 'gzip' }), client, tooLarge);
        await checkAlive(client);
      });

      it('any content type is accepted, or none', async () => {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/json; charset=utf-8',
          'multipart/form-data; boundary=x',
          'nonsense;;',
          '',
        ]) {
          expect((await post(good(client), { 'content-type': type })).status, type).to.equal(200);
        }
        const { 'content-type': _type, ...headers } = goodHeaders;
        expect((await send(scene.gateway.url, { path, headers, body: good(client) })).status).to.equal(200);
      });
    });
  }

  it('a missing or unknown version is refused at /v1/messages, under either header name', async () => {
    const { 'anthropic-version': _version, ...headers } = goodHeaders;
    const post = (version: object): Promise<HttpReply> =>
      send(scene.gateway.url, { path: '/v1/messages', headers: { ...headers, ...version }, body: good('messages') });
    expect(checkRefusal(await post({}), 'messages').message).to.include('anthropic-version');
    expect(checkRefusal(await post({ 'anthropic-version': '2020-01-01' }), 'messages').message).to.include(
      'anthropic-version',
    );
    expect(checkRefusal(await post({ 'compat-version': '2020-01-01' }), 'messages').message).to.include(
      'compat-version',
    );
    for (const version of ['2023-01-01', '2023-06-01'])
      expect((await post({ 'compat-version': version })).status).to.equal(200);
  });
});
