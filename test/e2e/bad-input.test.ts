import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { chatBody } from '../matrix/vendor-chat.ts';
import { messagesBody } from '../matrix/vendor-messages.ts';
import { goodDay } from '../matrix/said.ts';
import { someTokens, type Wire } from '../matrix/wires.ts';
import { badChat, badMessages } from './bad-members.ts';
import { goodHeaders, readError, send, type HttpReply } from './http.ts';
import { CHAT, MESSAGES, startScene, type Scene } from './scene.ts';

interface Route {
  readonly wire: Wire;
  readonly path: string;
  /** Of the other wire: whatever passes the reader has to survive the translation too. */
  readonly model: string;
}
const routes: readonly Route[] = [
  { wire: 'chat', path: '/v1/chat/completions', model: MESSAGES },
  { wire: 'messages', path: '/v1/messages', model: CHAT },
];
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);
const good = (model: string): string => JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] });
const withMember = (model: string, member: string): string => `${good(model).slice(0, -1)},${member}}`;

/** What is wrong with the text itself: the body, and what the refusal says of it. */
const bodies = (model: string): readonly (readonly [name: string, body: string | Uint8Array, message: RegExp])[] => [
  ['an empty body', '', /empty/],
  ['blanks', ' \n ', /not valid JSON/],
  ['no JSON', 'model=x', /not valid JSON/],
  ['an array', `[${good(model)}]`, /must be a JSON object, not an array/],
  ['null', 'null', /must be a JSON object, not null/],
  ['a text', '"Hi"', /must be a JSON object, not a string/],
  ['a truncated object', good(model).slice(0, -5), /not valid JSON/],
  ['something behind the object', `${good(model)}{}`, /not valid JSON/],
  ['UTF-16', Buffer.from(`\uFEFF${good(model)}`, 'utf16le'), /not valid UTF-8|not valid JSON/],
  ['invalid UTF-8', Buffer.concat([Buffer.from(good(model).slice(0, -1)), Buffer.from(',"user":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]), /not valid UTF-8/],
  ['129 levels of arrays', withMember(model, `"x":${nested(128, '[', ']')}`), /nested deeper than 128/],
  ['129 levels of objects', withMember(model, `"x":${'{"a":'.repeat(128)}1${'}'.repeat(128)}`), /nested deeper than 128/],
  ['100,000 levels', withMember(model, `"x":${nested(100_000, '[', ']')}`), /nested deeper than 128/],
  ['100,000 levels that never close', '['.repeat(100_000), /not valid JSON/],
  ['__proto__', withMember(model, '"__proto__":{"polluted":true}'), /__proto__/],
  ['__proto__, escaped', withMember(model, '"\\u005f_proto\\u005F_":{"polluted":true}'), /__proto__/],
  ['__proto__, deep inside', withMember(model, '"metadata":{"a":[{"__proto__":{"polluted":true}}]}'), /__proto__/],
  ['a second model', withMember(model, `"model":${JSON.stringify(CHAT)}`), /more than once/],
  ['a second model, escaped', withMember(model, `"m\\u006fdel":${JSON.stringify(CHAT)}`), /more than once/],
];

describe('bad input', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene({ server: { port: 0, bodyLimit: '1mb' } });
    scene.upstream.answer = (response, { path }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(path === '/v1/messages' ? messagesBody(goodDay.messages, someTokens) : chatBody(goodDay.chat, someTokens));
    };
  });
  after(() => scene.stop());

  /** A refusal in the shape of the route's wire. */
  const checkRefusal = (reply: HttpReply, wire: Wire, status = 400, type = 'invalid_request_error'): ReturnType<typeof readError> => {
    expect(reply.status, reply.text).to.equal(status);
    expect(reply.headers['content-type']).to.match(/^application\/json/);
    expect(reply.headers['x-request-id']).to.match(/^req_/);
    const body = readError(reply);
    expect(body.error.type).to.equal(type);
    if (wire === 'messages') expect(body).to.include({ type: 'error', request_id: reply.headers['request-id'] });
    return body;
  };
  /** The gateway has come through. */
  const checkAlive = async ({ path, model }: Route): Promise<void> => {
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    expect((await send(scene.gateway.url, { path, body: good(model) })).status).to.equal(200);
  };

  for (const route of routes) {
    const { wire, path, model } = route;
    const post = (body: string | Uint8Array, headers: object = {}): Promise<HttpReply> => send(scene.gateway.url, { path, body, headers: { ...goodHeaders, ...headers } });

    describe(`at ${path}`, () => {
      for (const [name, body, message] of bodies(model)) {
        it(`refuses ${name}`, async () => {
          const { error } = checkRefusal(await post(body), wire);
          expect(error.message).to.match(message);
          await checkAlive(route);
        });
      }

      it('takes 128 levels', async () => {
        expect((await post(withMember(model, `"x":${nested(127, '[', ']')}`))).status).to.equal(200);
      });

      for (const { members, param } of wire === 'chat' ? badChat : badMessages) {
        it(`names '${param}' for ${JSON.stringify(members)}`, async () => {
          const request: Record<string, unknown> = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...members };
          const { error } = checkRefusal(await post(JSON.stringify(request)), wire);
          if (wire === 'chat') expect(error.param, error.message).to.equal(param);
          expect(error.message).to.include(`'${param}'`);
        });
      }

      it('refuses what is missing', async () => {
        for (const member of ['model', 'messages']) {
          const { [member]: _left, ...request } = JSON.parse(good(model)) as Record<string, unknown>;
          expect(checkRefusal(await post(JSON.stringify(request)), wire).error.message).to.include(`'${member}' is required`);
        }
      });

      it('does not know an unknown model', async () => {
        for (const name of ['nobody/nothing', '__proto__', 'constructor', 'x'.repeat(100_000)]) {
          const type = wire === 'chat' ? 'invalid_request_error' : 'not_found_error';
          const { error } = checkRefusal(await post(good(name)), wire, 404, type);
          expect(error.message.length).to.be.below(400);
          if (wire === 'chat') expect(error).to.include({ code: 'model_not_found', param: 'model' });
        }
      });

      it('refuses a body over the limit, by its announcement or as it comes', async () => {
        const large = JSON.stringify({ model, x: 'y'.repeat(1_048_576) });
        const type = wire === 'chat' ? 'invalid_request_error' : 'request_too_large';
        for (const body of [large, [Buffer.from(large.slice(0, 600_000)), Buffer.from(large.slice(600_000))]]) {
          const reply = await send(scene.gateway.url, { path, body });
          expect(checkRefusal(reply, wire, 413, type).error.message).to.include('1048576 bytes');
          expect(reply.headers.connection).to.equal('close');
        }
        await checkAlive(route);
      });

      it('refuses an encoding that it does not know, and one that is broken', async () => {
        expect(checkRefusal(await post(good(model), { 'content-encoding': 'x-rot13' }), wire, 415).error.message).to.include("'x-rot13'");
        checkRefusal(await post(gzipSync(good(model)).subarray(0, 20), { 'content-encoding': 'gzip' }), wire);
        checkRefusal(await post('no gzip at all', { 'content-encoding': 'gzip' }), wire);
        await checkAlive(route);
      });

      it('takes gzip, and refuses a bomb', async () => {
        expect((await post(gzipSync(good(model)), { 'content-encoding': 'gzip' })).status).to.equal(200);
        const type = wire === 'chat' ? 'invalid_request_error' : 'request_too_large';
        const bomb = gzipSync(JSON.stringify({ model, x: 'y'.repeat(50 * 1_048_576) }));
        checkRefusal(await post(bomb, { 'content-encoding': 'gzip' }), wire, 413, type);
        await checkAlive(route);
      });

      it('takes any content type, or none', async () => {
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8', 'multipart/form-data; boundary=x', 'nonsense;;', '']) {
          expect((await post(good(model), { 'content-type': type })).status, type).to.equal(200);
        }
        const { 'content-type': _type, ...headers } = goodHeaders;
        expect((await send(scene.gateway.url, { path, headers, body: good(model) })).status).to.equal(200);
      });
    });
  }

  it('refuses a missing and an unknown version at /v1/messages, under either name', async () => {
    const { 'anthropic-version': _version, ...headers } = goodHeaders;
    const post = (version: object): Promise<HttpReply> => send(scene.gateway.url, { path: '/v1/messages', headers: { ...headers, ...version }, body: good(CHAT) });
    expect(checkRefusal(await post({}), 'messages').error.message).to.include('anthropic-version');
    expect(checkRefusal(await post({ 'anthropic-version': '2020-01-01' }), 'messages').error.message).to.include('anthropic-version');
    expect(checkRefusal(await post({ 'compat-version': '2020-01-01' }), 'messages').error.message).to.include('compat-version');
    for (const version of ['2023-01-01', '2023-06-01']) expect((await post({ 'compat-version': version })).status).to.equal(200);
  });
});
