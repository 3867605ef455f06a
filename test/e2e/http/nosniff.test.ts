import { expect } from 'chai';
import { openRaw } from '../../hostile/support/raw-client.ts';
import { until } from '../../support/until.ts';
import { callOf } from '../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { goodHeaders, send, type HttpRequest } from '../../support/http.ts';
import { sendRaw } from '../../support/raw.ts';

const chat = callOf('chat', 'simulator/chat');
const get = (path: string, headers: HttpRequest['headers'] = {}): HttpRequest => ({ method: 'GET', path, headers });
const stream = JSON.stringify({ model: 'simulator/chat', stream: true, messages: [{ role: 'user', content: 'Hi' }] });

/** What each listener is sent, and the status that it answers. */
const requests: Readonly<
  Record<'data' | 'admin', readonly (readonly [title: string, status: number, request: HttpRequest])[]>
> = {
  data: [
    ['a plain answer', 200, chat],
    ['a stream', 200, { path: '/v1/chat/completions', body: stream }],
    ['a refused key', 401, { ...chat, headers: { 'content-type': 'application/json' } }],
    ['a bad body', 400, { path: '/v1/chat/completions', body: '{' }],
    ['a body that is too large', 413, { path: '/v1/chat/completions', body: 'x'.repeat(40_000) }],
    ['the list of models', 200, get('/v1/models', goodHeaders)],
    ['a call of a plugin', 200, get('/v1/usage', goodHeaders)],
    ['an unknown path', 404, get('/nowhere')],
    ['a method that no route has', 405, get('/v1/chat/completions')],
    ['OPTIONS', 200, { method: 'OPTIONS', path: '/v1/chat/completions', headers: {} }],
    ['HEAD', 200, { method: 'HEAD', path: '/livez', headers: {} }],
    ['health', 200, get('/readyz')],
    ['an expectation', 417, { ...chat, headers: { ...goodHeaders, expect: '200-maybe' } }],
  ],
  admin: [
    ['health', 200, get('/livez')],
    ['a call', 200, get('/admin/keys')],
    ['the dashboard', 200, get('/')],
    ['a file of the dashboard', 200, get('/dashboard/app.js')],
    ['metrics', 200, get('/metrics')],
    ['a redirect', 303, get('/admin/login')],
    ['a refused page', 403, get('/admin/keys', { origin: 'https://evil.example' })],
    ['an unknown path', 404, get('/nowhere')],
    ['OPTIONS', 200, { method: 'OPTIONS', path: '/admin/keys', headers: {} }],
    ['HEAD', 200, { method: 'HEAD', path: '/', headers: {} }],
  ],
};

/** What is no request, in bytes, and the status of the answer. */
const oddities: readonly (readonly [title: string, status: number, text: string])[] = [
  ['no HTTP', 400, 'rubbish\r\n\r\n'],
  ['a request without a host', 400, 'GET /livez HTTP/1.1\r\n\r\n'],
  ['headers that are too large', 431, `GET /livez HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['an upgrade', 426, 'GET /livez HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
];

describe('x-content-type-options: nosniff', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({
      server: { port: 0, bodyLimit: '20kb', headersTimeout: '1s' },
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
      plugins: [{ use: 'metrics' }, { use: 'auth' }, { use: 'ledger' }, { use: 'dashboard' }],
    });
  });
  after(() => gateway.stop());

  for (const listener of ['data', 'admin'] as const) {
    describe(`on the ${listener} listener`, () => {
      for (const [title, status, request] of requests[listener]) {
        it(`nosniff is set on ${title}`, async () => {
          const reply = await send(gateway.gateway[listener].url, request);
          expect(reply.status, reply.text).to.equal(status);
          expect(reply.headers['x-content-type-options']).to.equal('nosniff');
        });
      }
      for (const [title, status, text] of oddities) {
        it(`nosniff is set on the response to ${title}`, async () => {
          const answer = await sendRaw(gateway.gateway[listener].url, text);
          expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
          expect(answer.toLowerCase()).to.contain('\r\nx-content-type-options: nosniff\r\n');
        });
      }
    });
  }

  it('no response allows another origin, or names the server and its version', async () => {
    const origin = 'https://evil.example';
    for (const listener of ['data', 'admin'] as const)
      for (const [title, , request] of requests[listener]) {
        const asked = { ...request.headers, origin, 'access-control-request-method': 'POST' };
        const { headers } = await send(gateway.gateway[listener].url, { ...request, headers: asked });
        const told = Object.keys(headers).filter((name) =>
          /^access-control-|^server$|^x-powered-by$|version/.test(name),
        );
        expect(told, `${listener}: ${title}`).to.deep.equal([]);
      }
  });

  it('nosniff is set on the response to endless headers', async () => {
    const client = await openRaw(gateway.url, 'GET /livez HTTP/1.1\r\n');
    await until('it is answered', () => client.received.includes('\r\n\r\n'));
    client.socket.destroy();
    expect(client.received)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.contain('x-content-type-options: nosniff\r\n');
  });

  it('nosniff is set on refusals of an overloaded gateway', async () => {
    const full = await startTestGateway({
      server: { port: 0, overload: { inFlight: 1, lag: '1m' } },
      providers: { simulator: { use: 'simulator' } },
      models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }] } },
    });
    try {
      const slow = JSON.stringify({
        model: 'simulator/chat',
        messages: [{ role: 'user', content: 'Hi [[simulator delay=500]]' }],
      });
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => send(full.url, { path: '/v1/chat/completions', body: slow })),
      );
      expect(replies.map(({ status }) => status)).to.include(503);
      for (const { headers } of replies) expect(headers['x-content-type-options']).to.equal('nosniff');
    } finally {
      await full.stop();
    }
  });
});
