import { expect } from 'chai';
import { Readable } from 'node:stream';
import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createInflater, readCoding } from '../../../core/dispatch/content-coding.ts';
import { InflatedBody } from '../../../core/dispatch/inflated-body.ts';
import { createUndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import { pushedBody, UpstreamBody } from '../../../core/lanes/upstream/body.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { startRawUpstream } from './raw-upstream.ts';
import { until } from '../../support/until.ts';

const text = 'Good day. '.repeat(1_000);
/** A body that can be released at once, even while a chunk is pending. */
class ReadableBody extends UpstreamBody {
  readonly #stream: Readable;

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.arrived(chunk)).on('end', () => this.ended());
  }

  protected hold(): void {
    this.#stream.pause();
  }

  protected release(): void {
    this.#stream.resume();
  }

  protected drop(): void {
    this.#stream.destroy();
  }
}

const unpack = (source: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> => {
  const coding = readCoding(encoding);
  const inflater = createInflater(coding);
  const body = pushedBody(source);
  return inflater === undefined ? body : new InflatedBody(body, inflater, coding);
};
const bodyOf = (chunks: readonly Uint8Array[], encoding: string): AsyncIterable<Uint8Array> =>
  unpack(Readable.from(chunks, { objectMode: false }), encoding);
const read = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * 1_048_576, 'a');

describe('an encoded response', () => {
  const codings: readonly (readonly [name: string, encode: (text: string) => Buffer])[] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP ', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['identity', Buffer.from],
  ];
  for (const [name, encode] of codings) {
    it(`decompresses a response in ${name}, also byte by byte`, async () => {
      const packed = encode(text);
      expect(await read(bodyOf([packed], name))).to.equal(text);
      expect(
        await read(
          bodyOf(
            [...packed].map((byte) => Buffer.of(byte)),
            name,
          ),
        ),
      ).to.equal(text);
    });
  }

  it('delivers decompressed chunks as they arrive, without waiting for the rest', async () => {
    const gzip = createGzip();
    const source = new Readable({ read: () => {} });
    gzip.on('data', (chunk) => source.push(chunk));
    const body = unpack(new ReadableBody(source), 'gzip')[Symbol.asyncIterator]();
    gzip.write('first');
    gzip.flush();
    expect(Buffer.from((await body.next()).value as Uint8Array).toString()).to.equal('first');
    await body.return?.();
    await until('the connection is released', () => source.destroyed);
  });

  it('refuses a response in an unknown encoding, and closes its connection', async () => {
    for (const name of ['zip', 'gzip, gzip', 'constructor']) {
      const upstream = await startRawUpstream(
        (socket) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${name}\r\nContent-Length: 9\r\n\r\n`),
      );
      const transport = createUndiciTransport({ connect: 2_000 });
      expect((await catchRejection(transport.send(upstream.request(), new AbortController().signal))).code).to.equal(
        'upstream_bad_response',
      );
      await upstream.closed();
      await transport.close();
      await upstream.stop();
    }
  });

  it('refuses a response whose bytes do not match its encoding', async () => {
    for (const name of ['gzip', 'deflate', 'br', 'zstd'])
      expect((await catchRejection(read(bodyOf([Buffer.from('{"an":"answer"}')], name)))).code, name).to.equal(
        'upstream_bad_response',
      );
  });

  it('reports a response that ends too early as truncated', async () => {
    for (const [name, encode] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const packed = encode(text);
      expect((await catchRejection(read(bodyOf([packed.subarray(0, -6)], name)))).code, name).to.equal(
        'upstream_truncated',
      );
    }
  });

  it('refuses a response that decompresses to 1,000 times its size long before its end', async () => {
    let unpacked = 0;
    const packed = gzipSync(zeros(32));
    const error = await catchRejection(
      (async () => {
        for await (const chunk of bodyOf([packed], 'gzip')) unpacked += chunk.byteLength;
      })(),
    );
    expect(error).to.include({ code: 'upstream_bad_response' });
    expect(unpacked).to.be.below(16 * 1_048_576);
  });

  it('accepts a repetitive response that is short', async () => {
    const spaces = ' '.repeat(500_000);
    expect(await read(bodyOf([gzipSync(spaces)], 'gzip'))).to.equal(spaces);
  });
});
