import { expect } from 'chai';
import { createUndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import { GatewayError } from '../../../core/index.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { measure, readAll, startRawUpstream, type RawUpstream } from './raw-upstream.ts';

const none = new AbortController().signal;
const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a caller that leaves', () => {
  let upstream: RawUpstream;
  const transport = createUndiciTransport({ connect: 2_000 });
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

  it('while the connection is being made ends the call at once too', async () => {
    const slow = createUndiciTransport({ connect: 5_000, resolve: () => {} });
    const controller = new AbortController();
    const reason = new GatewayError('client_closed');
    setTimeout(() => controller.abort(reason), 50);
    const pending = slow.send(
      { origin: 'http://name.invalid', path: '/', headers: {}, body: Buffer.from('{}') },
      controller.signal,
    );
    expect(await measure(pending)).to.be.below(1_000);
    expect(await catchRejection(pending)).to.equal(reason);
    await slow.close();
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
    const settled = await Promise.race([
      waiting.then(
        () => 'done',
        () => 'failed',
      ),
      new Promise((resolve) => setTimeout(resolve, 1_000, 'still waiting')),
    ]);
    expect(settled).to.not.equal('still waiting');
  });
});
