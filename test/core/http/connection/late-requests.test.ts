import { expect } from 'chai';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { listen, type Listener } from '../../../../core/http/connection/listener.ts';
import { until } from '../../../support/until.ts';
import { stopListener } from '../koa-server.ts';

const DEADLINE_MS = 1_000;
const request = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody';

describe('requests that arrive late', () => {
  let listener: Listener;
  let accepted: Socket | undefined;
  let begun: number;
  let client: Socket;
  let text: string;
  beforeEach(async () => {
    [accepted, begun, text] = [undefined, 0, ''];
    listener = await listen(
      (inbound, response) => {
        begun += 1;
        inbound.resume().once('end', () => response.end('served'));
      },
      { host: '127.0.0.1', port: 0, headersTimeout: DEADLINE_MS, requestTimeout: DEADLINE_MS },
      { admit: (socket) => (accepted = socket) === socket, refused: () => {}, failed: () => {} },
    );
    client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until('the connection', () => accepted !== undefined);
  });
  afterEach(async () => {
    client.destroy();
    await stopListener(listener);
  });

  for (const [what, first] of [
    ['a request', ''],
    ['the body of a request', request.slice(0, -2)],
    ['the next request of a connection', request],
  ] as const)
    it(`${what} that arrived while the event loop was blocked past the deadline is read, and the next one has its own deadline`, async () => {
      if (first !== '') {
        client.write(first);
        await until('the head', () => begun === 1);
      }
      if (first === request) {
        await until('the first response', () => text.endsWith('served'));
        text = '';
        // The time of the next request begins with its first byte.
        client.write(request.slice(0, 9));
        await wait(50);
      }
      // In this phase of the event loop, so that its timers run before its sockets are read.
      await nextTurn();
      client.write(first === request ? request.slice(9) : request.slice(first.length));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2.5 * DEADLINE_MS);
      await until('a response', () => text.endsWith('served'));
      expect(text).to.match(/^HTTP\/1\.1 200 /);
      client.write(request.slice(0, 9));
      await until('the deadline of the next one', () => text.includes('HTTP/1.1 408 '));
    });

  for (const [what, first] of [
    ['nothing', ''],
    ['half a request', request.slice(0, -2)],
    ['a request and half of the next', request + request.slice(0, 9)],
  ] as const)
    it(`a connection that has sent ${what} at the deadline gets 408`, async () => {
      client.write(first);
      await until('the deadline', () => text.includes('request_timeout'));
      expect(text.match(/HTTP\/1\.1 \d+/g)?.at(-1)).to.equal('HTTP/1.1 408');
    });

  it('a request that arrives after the response 408 is not handled', async () => {
    await once(client, 'end');
    expect(text).to.match(/^HTTP\/1\.1 408 /);
    client.end(request);
    await once(accepted!, 'close');
    expect(begun).to.equal(0);
  });
});
