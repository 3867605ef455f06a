import { expect } from 'chai';
import { createUndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import { GatewayError } from '../../../core/api/index.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { readAll, startRawUpstream, type RawUpstream } from './raw-upstream.ts';

const none = new AbortController().signal;
/** Longer than a test may take: nothing but the abort ends a call. */
const NEVER_MS = 300_000;
const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('the cancellation of a call', () => {
  let upstream: RawUpstream;
  const transport = createUndiciTransport({ connect: NEVER_MS });
  afterEach(() => upstream.stop());
  after(() => transport.close());

  it('aborts the call at once before the response, with the reason of its signal', async () => {
    upstream = await startRawUpstream(() => {});
    const controller = new AbortController();
    const reason = new GatewayError('client_closed');
    setTimeout(() => controller.abort(reason), 50);
    const pending = transport.send(upstream.request(), controller.signal);
    expect(await catchRejection(pending)).to.equal(reason);
    await upstream.closed();
  });

  it('aborts the call at once while the connection is being opened', async () => {
    const slow = createUndiciTransport({ connect: NEVER_MS, resolve: () => {} });
    const controller = new AbortController();
    const reason = new GatewayError('client_closed');
    setTimeout(() => controller.abort(reason), 50);
    const pending = slow.send(
      { origin: 'http://name.invalid', path: '/', headers: {}, body: Buffer.from('{}') },
      controller.signal,
    );
    expect(await catchRejection(pending)).to.equal(reason);
    await slow.close();
  });

  it('aborts the call at once in the middle of the response', async () => {
    upstream = await startRawUpstream((socket) => void socket.write(`${HEAD}5\r\nfirst\r\n`));
    const controller = new AbortController();
    const reason = new GatewayError('client_closed');
    setTimeout(() => controller.abort(reason), 50);
    const pending = readAll(transport.send, upstream.request(), controller.signal);
    expect(await catchRejection(pending)).to.equal(reason);
    await upstream.closed();
  });

  it('makes no call if the signal has aborted before', async () => {
    upstream = await startRawUpstream(() => {});
    const reason = new GatewayError('client_closed');
    expect(await catchRejection(transport.send(upstream.request(), AbortSignal.abort(reason)))).to.equal(reason);
    expect(upstream.received.text).to.equal('');
  });

  it('closes the connection at once if the iterator of the body returns, even while a chunk is pending', async () => {
    upstream = await startRawUpstream((socket) => void socket.write(`${HEAD}5\r\nfirst\r\n`));
    const { body } = await transport.send(upstream.request(), none);
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();
    const waiting = chunks.next();
    waiting.catch(() => {});
    const closed = upstream.closed();
    await chunks.return?.();
    await closed;
    await waiting.catch(() => {});
  });
});
