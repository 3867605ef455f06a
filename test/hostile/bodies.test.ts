import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { wires } from '../matrix/wires.ts';
import { callOf, pathOf } from '../support/calls.ts';
import { goodHeaders, readError, send } from '../support/http.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { asChunk, pour as pourInto } from './support/raw-client.ts';
import { startWatched, type WatchedScene } from './support/witness.ts';

const model = 'simulator/chat';
const LIMIT = 1_048_576;

describe('oversized bodies', () => {
  let scene: WatchedScene;
  before(async () => {
    scene = await startWatched({ settings: { server: { bodyLimit: '1mb' } } });
  });
  afterEach(() => scene.check());
  after(() => scene.stop());

  const pour = (head: string, frame: (piece: Buffer) => Buffer): ReturnType<typeof pourInto> =>
    pourInto(scene.gateway.url, head, frame);

  for (const wire of wires) {
    const path = pathOf(wire, model);
    // The wire's list of error codes has no better one.
    const status = wire === 'google' ? 400 : 413;
    it(`refuses an endless body at ${path} without reading it to the end, announced or chunked`, async () => {
      const announced = await pour(rawRequest(path, '', ['content-length: 10000000000']), (piece) => piece);
      const chunked = await pour(rawRequest(path, '', ['transfer-encoding: chunked']), asChunk);
      for (const { sent, received } of [announced, chunked]) {
        expect(received)
          .to.match(new RegExp(`^HTTP/1\\.1 ${status} `))
          .and.include('server.bodyLimit')
          .and.match(/\r\nconnection: close\r\n/i);
        // It takes a moment until the client has read the response.
        expect(sent).to.be.below(64 * LIMIT);
      }
    });

    it(`refuses a small body at ${path} that decompresses to a large one`, async () => {
      const bomb = gzipSync(Buffer.alloc(64 * LIMIT, ' '));
      expect(bomb.length).to.be.below(LIMIT / 8);
      const twice = gzipSync(bomb);
      const reply = await send(scene.gateway.url, {
        path,
        headers: { ...goodHeaders, 'content-encoding': 'gzip' },
        body: bomb,
      });
      expect(reply.status, reply.text).to.equal(status);
      expect(
        (
          await send(scene.gateway.url, {
            path,
            headers: { ...goodHeaders, 'content-encoding': 'gzip, gzip' },
            body: twice,
          })
        ).status,
      ).to.be.oneOf([400, 415]);
    });
  }

  it('never returns a name of the client unescaped', async () => {
    const names = [
      'a\r\nx-injected: 1',
      'a\0b',
      '\u2028',
      '\u00ff\u0080',
      '<script>alert(1)</script>',
      `${'n'.repeat(10_000)}`,
      '__proto__',
      'constructor',
    ];
    for (const name of names) {
      for (const wire of wires.filter((one) => one !== 'google')) {
        const { path, body } = callOf(wire, name);
        const reply = await send(scene.gateway.url, { path, body });
        expect(reply.status, reply.text).to.be.oneOf([400, 404]);
        expect(reply.headers).to.not.have.property('x-injected');
        for (const value of Object.values(reply.headers)) expect(String(value)).to.match(/^[\x20-\x7e]*$/);
        expect(reply.headers['content-type']).to.match(/^application\/json/);
        expect(readError(reply).error.message.length).to.be.below(600);
      }
    }
  });

  it('responds 400 to every ambiguous body length, and closes the connection', async () => {
    const path = '/v1/chat/completions';
    const chunked = '5\r\nhello\r\n0\r\n\r\n';
    const lines: Readonly<Record<string, readonly [lines: readonly string[], body: string]>> = {
      'two transfer codings': [['transfer-encoding: chunked', 'transfer-encoding: identity'], chunked],
      'chunked not last': [['transfer-encoding: chunked, gzip'], chunked],
      'a negative length': [['content-length: -1'], ''],
      'a length beyond every number': [['content-length: 99999999999999999999999'], ''],
      'a chunk size beyond every number': [['transfer-encoding: chunked'], 'fffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
      'a chunk that is longer than it says': [['transfer-encoding: chunked'], '3\r\nhello\r\n0\r\n\r\n'],
      'a chunk extension with a line feed': [['transfer-encoding: chunked'], '5;a=\nb\r\nhello\r\n0\r\n\r\n'],
    };
    for (const [name, [more, text]] of Object.entries(lines)) {
      const received = await sendRaw(scene.gateway.url, rawRequest(path, text, more));
      expect(received, name)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.match(/\r\nconnection: close\r\n/i);
      expect(received.match(/HTTP\/1\.1/g), name).to.have.length(1);
    }
  });

  it('refuses an endless chunk extension', async () => {
    const { received } = await pour(
      rawRequest('/v1/chat/completions', '', ['transfer-encoding: chunked', 'connection: keep-alive']),
      (() => {
        let first = true;
        return (piece: Buffer) => {
          const text = first ? Buffer.concat([Buffer.from('5;'), piece]) : piece;
          first = false;
          return text;
        };
      })(),
    );
    expect(received).to.match(/^HTTP\/1\.1 4(?:00|13) /);
  });
});
