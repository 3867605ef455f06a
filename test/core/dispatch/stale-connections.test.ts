import { expect } from 'chai';
import type { Socket } from 'node:net';
import { createUndiciTransport, type UndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { readAll, startRawUpstream, type RawUpstream } from './raw-upstream.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const none = new AbortController().signal;

describe('a connection that the provider has closed', () => {
  let upstream: RawUpstream;
  let transport: UndiciTransport;
  /** Each connection responds once, or only the first of them; the handling of the next request is given. */
  const start = async (second: (socket: Socket) => void, good: 'each' | 'the first' = 'each'): Promise<void> => {
    const served = new Set<Socket>();
    transport = createUndiciTransport({ connect: 2_000 });
    upstream = await startRawUpstream((socket) => {
      const answers = good === 'each' ? !served.has(socket) : served.size === 0;
      served.add(socket);
      if (answers) socket.write(OK);
      else second(socket);
    });
  };
  afterEach(async () => {
    await transport.close();
    await upstream.stop();
  });
  /** The first call leaves its connection to the second. */
  const callTwice = async (): Promise<string> => {
    await readAll(transport.send, upstream.request('/first'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    return readAll(transport.send, upstream.request('/second'));
  };
  const calls = (path: string): number => upstream.received.text.split(`POST ${path} `).length - 1;

  for (const [how, second] of [
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.end()],
  ] as const) {
    it(`repeats a request once if the provider closed the reused connection (${how}) while it was under way`, async () => {
      await start(second);
      expect(await callTwice()).to.equal('ok');
      expect(calls('/second')).to.equal(2);
      expect(upstream.sockets).to.have.length(2);
    });
  }

  it('does not repeat a request if a part of a response had arrived', async () => {
    await start((socket) => socket.write('HTTP/1.1 2', () => setTimeout(() => socket.resetAndDestroy(), 30)));
    expect((await catchRejection(callTwice())).code).to.equal('upstream_reset');
    expect(calls('/second')).to.equal(1);
  });

  it('does not repeat a request that failed on a new connection', async () => {
    await start(() => {});
    await upstream.stop();
    upstream = await startRawUpstream((socket) => socket.resetAndDestroy());
    expect((await catchRejection(transport.send(upstream.request('/first'), none))).code).to.equal('upstream_reset');
    expect(calls('/first')).to.equal(1);
  });

  it('repeats a request only once, even if the second connection fails too', async () => {
    await start((socket) => socket.resetAndDestroy(), 'the first');
    expect((await catchRejection(callTwice())).code).to.equal('upstream_reset');
    expect(calls('/second')).to.equal(2);
  });

  it('does not repeat a request whose client has left', async () => {
    const controller = new AbortController();
    await start((socket) => {
      controller.abort(new Error('left'));
      socket.resetAndDestroy();
    });
    await readAll(transport.send, upstream.request('/first'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await catchRejection(transport.send(upstream.request('/second'), controller.signal));
    expect(calls('/second')).to.equal(1);
  });
});
