import { expect } from 'chai';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createBodyReader, type BodyLimits } from '../../../../core/http/request/body.ts';
import { createBodyPace } from '../../../../core/http/request/body-pace.ts';
import type { Listener } from '../../../../core/http/connection/listener.ts';
import { GatewayError } from '../../../../core/api/index.ts';
import { omitUndefined } from '../../../../core/api/codec.ts';
import { until } from '../../../support/until.ts';
import { startListener, stopListener } from '../koa-server.ts';

const MB = 1_048_576;

describe('a request body', () => {
  let listener: Listener;
  let limits: BodyLimits;
  /** The result of each reading, whether the connection closes after the response, and the bytes that were kept. */
  let read: { readonly body?: Uint8Array; readonly error?: unknown; readonly ends: boolean }[];
  let taken: number;
  let room: number;
  beforeEach(async () => {
    limits = { limit: 32 * MB, origin: ' (test)' };
    [read, taken, room] = [[], 0, Number.POSITIVE_INFINITY];
    const take = (bytes: number): void => {
      if (taken + bytes > room) throw new GatewayError('overloaded');
      taken += bytes;
    };
    listener = await startListener((req, res) => {
      const answer = (outcome: { readonly body?: Uint8Array; readonly error?: unknown }): void => {
        read.push({ ...outcome, ends: res.getHeader('connection') === 'close' });
        if (!res.destroyed) res.end('ok');
      };
      createBodyReader(limits)(req, res, { take }).then(
        (body) => answer({ body }),
        (error: unknown) => answer({ error }),
      );
    });
  });
  afterEach(() => stopListener(listener));

  /** Sends a body, and returns the result of the reading and whether the connection closes after the response. */
  const post = async (
    body: string | Uint8Array,
    encoding?: string,
  ): Promise<{ readonly body?: Uint8Array; readonly error?: GatewayError; readonly ends: boolean }> => {
    const call = request(listener.url, {
      method: 'POST',
      headers: omitUndefined<OutgoingHttpHeaders>({
        'content-length': Buffer.byteLength(body),
        'content-encoding': encoding,
      }),
    });
    call.on('error', () => {}).end(body);
    await until('it is read', () => read.length > 0);
    call.destroy();
    return read.splice(0)[0] as never;
  };

  it('returns the received bytes of a body, decompressed if needed', async () => {
    const text = Buffer.from(JSON.stringify({ a: 'é'.repeat(100_000), b: '\u0000' }));
    const encodings = {
      gzip: gzipSync,
      'x-gzip': gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zstd: zstdCompressSync,
    } as const;
    expect(Buffer.from((await post(text)).body ?? []).equals(text)).to.equal(true);
    expect(Buffer.from((await post(text, ' Identity ')).body ?? []).equals(text)).to.equal(true);
    for (const [encoding, compress] of Object.entries(encodings)) {
      expect(Buffer.from((await post(compress(text), encoding)).body ?? []).equals(text), encoding).to.equal(true);
    }
    expect((await post('')).body).to.have.length(0);
  });

  it('refuses a compression bomb during decompression, and keeps hardly more than the first megabyte', async () => {
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
    ] as const) {
      taken = 0;
      const { error } = await post(compress(Buffer.from('[],'.repeat(10 * MB)), { level: 9 }), encoding);
      expect(error).to.include({ code: 'request_too_large', status: 413 });
      expect(error?.message).to.include('200 times');
      expect(taken).to.be.below(1.1 * MB);
    }
  });

  it('accepts a repetitive body of up to 1 MB', async () => {
    expect((await post(gzipSync(Buffer.alloc(MB, ' ')), 'gzip')).body).to.have.length(MB);
  });

  it('refuses a body as soon as it is too long, announced or not, before or after decompression', async () => {
    limits = { ...limits, limit: 1_000 };
    for (const [body, encoding] of [['x'.repeat(1_001)], [gzipSync('x'.repeat(1_001)), 'gzip']] as const) {
      const { error } = await post(body, encoding);
      expect(error).to.include({ code: 'request_too_large' });
      expect(error?.message).to.include('1000 bytes').and.include('(test)');
    }
    expect(taken).to.equal(0);
    expect((await post('x'.repeat(1_000))).body).to.have.length(1_000);
  });

  it('refuses a body as soon as the process has no capacity for it', async () => {
    room = 100_000;
    const { error, ends } = await post('x'.repeat(5 * MB));
    expect(error).to.include({ code: 'overloaded' });
    expect(taken).to.be.at.most(room);
    expect(ends, 'the connection ends').to.equal(true);
  });

  it('refuses a body whose compression is broken, cut off or unknown', async () => {
    for (const [body, encoding, code] of [
      ['no gzip', 'gzip', 'invalid_request'],
      [gzipSync('x'.repeat(100)).subarray(0, 15), 'gzip', 'invalid_request'],
      ['x', 'rot13', 'unsupported_media_type'],
      ['x', 'constructor', 'unsupported_media_type'],
      [gzipSync(gzipSync('x')), 'gzip, gzip', 'unsupported_media_type'],
    ] as const) {
      expect((await post(body, encoding)).error, encoding).to.include({ code });
    }
  });

  it('refuses a body that arrives too slowly, but not before the grace period is over', async () => {
    const clock = { now: 0, reads: 0 };
    const now = (): number => {
      clock.reads += 1;
      return clock.now;
    };
    limits = { ...limits, pace: createBodyPace({ perSecond: 1_000, grace: 10_000 }, now, 5) };
    const call = request(listener.url, { method: 'POST', headers: { 'content-length': 5 } }).on('error', () => {});
    call.write('a');
    await until('the body is watched', () => clock.reads > 0);
    clock.now = 9_999;
    const before = clock.reads;
    await until('its rate was checked', () => clock.reads > before);
    expect(read).to.deep.equal([]);
    clock.now = 10_001;
    await until('it is refused', () => read.length > 0);
    expect(read[0]?.error).to.include({ code: 'request_timeout', status: 408 });
    call.destroy();
  });

  it('stops reading the body when the client leaves', async () => {
    const call = request(listener.url, { method: 'POST', headers: { 'content-length': 5 } }).on('error', () => {});
    await new Promise((resolve) => call.write('a', resolve));
    call.destroy();
    await until('it is over', () => read.length > 0);
    expect(read[0]?.error).to.include({ code: 'client_closed' });
  });
});
