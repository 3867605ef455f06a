import { expect } from 'chai';
import { createUndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import { GatewayError, type Transport } from '../../../core/index.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { measure, readAll, startRawUpstream, type RawUpstream } from './raw-upstream.ts';

const none = new AbortController().signal;
const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
/** undici's clock ticks every half second; far below a time that was not set at all. */
const SOON = 4_000;

describe('a provider that is slow', () => {
  let upstream: RawUpstream;
  let transport: { readonly send: Transport; close(): Promise<void> };
  afterEach(async () => {
    await transport.close();
    await upstream.stop();
  });

  it('to begin its answer is timed out, and its connection given up', async () => {
    transport = createUndiciTransport({ connect: 2_000, firstByte: 100, idle: 60_000 });
    upstream = await startRawUpstream(() => {});
    const pending = transport.send(upstream.request(), none);
    expect(await measure(pending)).to.be.within(90, SOON);
    const error = await catchRejection(pending);
    expect(error).to.include({ code: 'upstream_timeout', failure: 'timeout', status: 504 });
    expect(error.message).to.include('begin to answer');
    await upstream.closed();
  });

  it('in the middle of its answer is timed out', async () => {
    transport = createUndiciTransport({ connect: 2_000, firstByte: 60_000, idle: 100 });
    upstream = await startRawUpstream((socket) => void socket.write(`${HEAD}5\r\nfirst\r\n`));
    const pending = readAll(transport.send, upstream.request());
    expect(await measure(pending)).to.be.within(90, SOON);
    const error = await catchRejection(pending);
    expect(error.code).to.equal('upstream_timeout');
    expect(error.message).to.include('fell silent');
    await upstream.closed();
  });

  it('in all is not timed out while its answer goes on', async () => {
    transport = createUndiciTransport({ connect: 2_000, firstByte: 60_000, idle: 1_500 });
    upstream = await startRawUpstream((socket) => {
      socket.write(HEAD);
      let left = 8;
      const timer = setInterval(() => {
        left -= 1;
        socket.write(left === 0 ? '0\r\n\r\n' : '1\r\nx\r\n');
        if (left === 0) clearInterval(timer);
      }, 300);
    });
    expect(await readAll(transport.send, upstream.request())).to.equal('xxxxxxx');
  });
});

describe('a caller that leaves', () => {
  let upstream: RawUpstream;
  const transport = createUndiciTransport({ connect: 2_000, firstByte: 60_000, idle: 60_000 });
  afterEach(() => upstream.stop());
  after(() => transport.close());

  it('before the answer ends the call at once, with the reason of its signal', async () => {
    upstream = await startRawUpstream(() => {});
    const controller = new AbortController();
    const reason = new GatewayError('client_closed');
    setTimeout(() => controller.abort(reason), 50);
    const pending = transport.send(upstream.request(), controller.signal);
    expect(await measure(pending)).to.be.below(1_000);
    expect(await catchRejection(pending)).to.equal(reason);
    await upstream.closed();
  });

  it('in the middle of the answer does so too', async () => {
    upstream = await startRawUpstream((socket) => void socket.write(`${HEAD}5\r\nfirst\r\n`));
    const controller = new AbortController();
    const reason = new GatewayError('client_closed');
    setTimeout(() => controller.abort(reason), 50);
    const pending = readAll(transport.send, upstream.request(), controller.signal);
    expect(await measure(pending)).to.be.below(1_000);
    expect(await catchRejection(pending)).to.equal(reason);
    await upstream.closed();
  });

  it('before the call was made makes none', async () => {
    upstream = await startRawUpstream(() => {});
    const reason = new GatewayError('client_closed');
    expect(await catchRejection(transport.send(upstream.request(), AbortSignal.abort(reason)))).to.equal(reason);
    expect(upstream.received.text).to.equal('');
  });

  it('by returning from the body closes the connection at once, even while a chunk is awaited', async () => {
    upstream = await startRawUpstream((socket) => void socket.write(`${HEAD}5\r\nfirst\r\n`));
    const { body } = await transport.send(upstream.request(), none);
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();
    const waiting = chunks.next();
    waiting.catch(() => {});
    const closed = upstream.closed();
    expect(await measure(chunks.return?.() ?? Promise.resolve())).to.be.below(500);
    expect(await measure(closed)).to.be.below(1_000);
    const settled = await Promise.race([waiting.then(() => 'done', () => 'failed'), new Promise((resolve) => setTimeout(resolve, 1_000, 'still waiting'))]);
    expect(settled).to.not.equal('still waiting');
  });
});
