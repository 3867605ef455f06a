import { expect } from 'chai';
import { connect } from 'node:net';
import { wires, type Wire } from '../../matrix/wires.ts';
import { callOf, pathOf, streamEnds } from '../../support/calls.ts';
import { goodHeaders, readError, send, type HttpReply } from '../../support/http.ts';
import { isWhole, rawRequest, sendRaw } from '../../support/raw.ts';
import { startScene, type Scene } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const model = 'simulator/chat';
const { body } = callOf('chat', model);
/** Google's under the version that its newest SDK calls. */
const routeOf = (wire: Wire, stream = false): string => pathOf(wire, model, stream).replace('/v1beta/', '/v1/');

/** Ways to write a path that another reader could take for a route. */
const spellings = (path: string): readonly string[] => [
  `/${path}`,
  path.replace('/v1', '/v1/'),
  `${path}/`,
  `${path}//`,
  path.replace('/v1', '/v1/v1'),
  path.replace('/v1', '/%2e/v1'),
  path.replace('/v1', '/./v1'),
  path.replace('/v1', '/x/../v1'),
  path.replace('/v1', '/v1/%2e%2e/v1'),
  path.replace('/v1', '/%76%31'),
  path.replace('/v1/', '/v1%2f'),
  path.replace('/v1/', '/v1\\'),
  path.toUpperCase(),
  `${path}%00`,
  `${path}%`,
  `${path};a=b`,
  `${path}.json`,
  `${path}?x=%00&__proto__=1`,
  `${path}?key=`,
  `http://elsewhere${path}`,
  `/livez/..${path}`,
  `/livez/%2e%2e${path}`,
];

describe('unusual HTTP', () => {
  let scene: Scene;
  before(async () => {
    scene = await startScene();
  });
  after(() => scene.stop());

  const statusOf = (text: string): string => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text.slice(0, 80);

  for (const wire of wires) {
    const route = routeOf(wire);
    const call = callOf(wire, model);
    const post = (path: string): Promise<HttpReply> => send(scene.gateway.url, { path, body: call.body });

    describe(`at ${route}`, () => {
      for (const path of spellings(route)) {
        it(`the spelling ${path} does not bypass the key`, async () => {
          const { authorization: _key, ...keyless } = goodHeaders;
          const refused = await send(scene.gateway.url, { path, headers: keyless, body: call.body });
          expect(refused.status, refused.text).to.be.oneOf([401, 404, 405]);
          expect(readError(refused).error.message).to.not.equal('');
          const served = await post(path);
          // What is left of Google's path names another model.
          const found = wire === 'google' && path !== path.toLowerCase() && path === path.toUpperCase() ? 404 : 200;
          expect(served.status, served.text).to.equal(refused.status === 401 ? found : refused.status);
        });
      }

      it('E58 a doubled base path gets 404 with an explanation', async () => {
        expect(readError(await post(route.replace('/v1', '/v1/v1'))).error.message).to.include('ends in /v1 twice');
      });

      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE']) {
        it(`E58 ${method} is refused with a readable response`, async () => {
          const reply = await send(scene.gateway.url, { method, path: route });
          if (method === 'HEAD') expect(reply.text).to.equal('');
          // To read at such a path is to ask for a model of that name.
          if (wire === 'google' && (method === 'GET' || method === 'HEAD')) {
            expect(reply.status, reply.text).to.equal(404);
            return;
          }
          expect(reply.status, reply.text).to.equal(405);
          if (method !== 'HEAD')
            expect(readError(reply).error).to.deep.include({
              code: 'method_not_allowed',
              type: 'invalid_request_error',
            });
          expect(reply.headers.allow).to.include('POST');
        });
      }

      it('E58 OPTIONS lists the allowed method', async () => {
        const reply = await send(scene.gateway.url, { method: 'OPTIONS', path: route });
        expect(reply.status).to.be.oneOf([200, 204]);
        expect(reply.headers.allow).to.include('POST');
      });

      it('E57 Expect: 100-continue gets a response before the body, any other expectation is refused', async () => {
        const text = await sendRaw(scene.gateway.url, rawRequest(route, call.body, ['expect: 100-continue']), isWhole);
        expect(text).to.match(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
        const refused = await sendRaw(scene.gateway.url, rawRequest(route, call.body, ['expect: miracles']), isWhole);
        expect(statusOf(refused)).to.equal('417');
        expect(refused).to.include('"code":"invalid_request"').and.include('100-continue');
      });

      it('a WebSocket upgrade is refused with a status', async () => {
        const upgrade = [
          `GET ${route} HTTP/1.1`,
          'host: gateway',
          'connection: Upgrade',
          'upgrade: websocket',
          'sec-websocket-version: 13',
          'sec-websocket-key: eA==',
          '',
          '',
        ].join('\r\n');
        const text = await sendRaw(scene.gateway.url, upgrade);
        expect(statusOf(text)).to.equal('426');
        expect(text)
          .to.include('"code":"upgrade_refused"')
          .and.to.match(/\r\nconnection: close\r\n/);
      });

      it('HTTP/1.0 is served, streams included', async () => {
        expect(statusOf(await sendRaw(scene.gateway.url, rawRequest(route, call.body, [], '1.0')))).to.equal('200');
        const text = await sendRaw(
          scene.gateway.url,
          rawRequest(routeOf(wire, true), callOf(wire, model, { stream: true }).body, [], '1.0'),
        );
        expect(statusOf(text)).to.equal('200');
        expect(text)
          .to.match(streamEnds[wire])
          .and.to.not.match(/transfer-encoding: chunked/i);
      });
    });
  }

  it('two pipelined requests get two responses in order', async () => {
    const both = rawRequest('/v1/chat/completions', body) + rawRequest('/v1/messages', callOf('messages', model).body);
    const text = await sendRaw(
      scene.gateway.url,
      both,
      (received) => received.split('HTTP/1.1').length > 2 && received.endsWith('}}'),
    );
    expect(text.match(/HTTP\/1\.1 200/g)).to.have.length(2);
    expect(text.indexOf('chat.completion')).to.be.below(text.indexOf('"type":"message"'));
  });

  describe('an ambiguous request gets 400 and its connection is closed', () => {
    const smuggled = `${(5).toString(16)}\r\nhello\r\n0\r\n\r\n`;
    const lines: Readonly<Record<string, readonly [lines: readonly string[], body: string]>> = {
      'both lengths': [['content-length: 4', 'transfer-encoding: chunked'], smuggled],
      'two lengths': [['content-length: 4', 'content-length: 5'], body],
      'a length that is not a number': [['content-length: +4'], body],
      'an unknown transfer coding': [['transfer-encoding: xchunked'], smuggled],
      'a chunk size that is not a number': [['transfer-encoding: chunked'], 'zz\r\nhello\r\n0\r\n\r\n'],
      'a header that goes on in the next line': [['x-request-id: a', ' b'], body],
      'a header with a bare CR': [['x-request-id: a\rx-injected: b'], body],
      'a header with NUL': [['x-request-id: a\0b'], body],
      'a header without a name': [[': a'], body],
      'a name with a blank': [['x-request-id : a'], body],
    };
    for (const [name, [more, text]] of Object.entries(lines)) {
      it(name, async () => {
        const logged = scene.gateway.exchanges().length;
        const received = await sendRaw(scene.gateway.url, rawRequest('/v1/chat/completions', text, more));
        expect(statusOf(received)).to.equal('400');
        expect(received)
          .to.match(/\r\nconnection: close\r\n/i)
          .and.to.include('"code":"invalid_request"');
        expect(
          scene.gateway
            .exchanges()
            .slice(logged)
            .every(({ status }) => status === 400),
        ).to.equal(true);
      });
    }
  });

  it('headers that are too large get 431', async () => {
    const text = await sendRaw(scene.gateway.url, rawRequest('/v1/messages', body, [`x-large: ${'a'.repeat(40_000)}`]));
    expect(statusOf(text)).to.equal('431');
  });

  it('headers of some megabytes are read to their end, so that no client is reset before it reads the 431', async () => {
    const { hostname, port } = new URL(scene.gateway.url);
    for (let run = 0; run < 5; run += 1) {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      socket.setEncoding('latin1');
      let text = '';
      socket.on('data', (piece: string) => (text += piece));
      await new Promise<void>((resolve, reject) => {
        socket
          .once('error', reject)
          .write(rawRequest('/', body, [`x-large: ${'a'.repeat(8_000_000)}`]), () => resolve());
      });
      await until('the response has ended', () => socket.readableEnded);
      expect(statusOf(text)).to.equal('431');
      socket.destroy();
    }
  });

  it("a client's request id is not what is given out, whatever it holds", async () => {
    for (const id of ['mine', 'a b"<script>', '\u00e9\u00ff', 'x'.repeat(4_000), '__proto__']) {
      const text = await sendRaw(
        scene.gateway.url,
        rawRequest('/v1/messages', callOf('messages', model).body, [`x-request-id: ${id}`, `x-koine-model: ${id}`]),
        (received) => received.endsWith('}}'),
      );
      expect(statusOf(text)).to.equal('200');
      expect(text)
        .to.match(/\r\nx-request-id: req_\w+\r\n/)
        .and.to.match(/\r\nx-koine-model: simulator\/chat\r\n/);
      expect(text).to.not.include(id);
    }
  });
});
