import { expect } from 'chai';
import { once } from 'node:events';
import { Agent, get, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { listen, type Listener } from '../../../../core/http/connection/listener.ts';
import { catchRejection } from '../../exchange/catch-error.ts';
import { until } from '../../../support/until.ts';
import { sendRaw, startListener, stopListener } from '../koa-server.ts';

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const bodyOf = (answer: string): { readonly error: { readonly code: string; readonly type: string } } =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as never;

describe('the listener', () => {
  let listener: Listener;
  let answer: (response: ServerResponse) => void;
  let requests: number;
  beforeEach(async () => {
    requests = 0;
    answer = (response) => void response.end('ok');
    listener = await startListener((_request, response) => {
      requests += 1;
      answer(response);
    });
  });
  afterEach(() => stopListener(listener));

  const odd: readonly (readonly [what: string, bytes: string | Uint8Array, status: number, code: string])[] = [
    [
      'a WebSocket upgrade',
      'GET /v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      426,
      'upgrade_refused',
    ],
    ['garbage', Uint8Array.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01), 400, 'invalid_request'],
    ['a line that is not a request', 'HELLO WORLD\r\n\r\n', 400, 'invalid_request'],
    [
      'two body lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'a header of 64 kB',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(65_536)}\r\n\r\n`,
      431,
      'request_too_large',
    ],
  ];
  for (const [what, bytes, status, code] of odd) {
    it(`the listener responds to ${what} with ${status}, and closes the connection`, async () => {
      const text = await sendRaw(listener.port, bytes);
      expect(text).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(text).to.match(/\r\nconnection: close\r\n/i);
      expect(bodyOf(text).error).to.include({ code, type: 'invalid_request_error' });
      expect(requests).to.equal(0);
    });
  }

  it('a listener that drains serves the connections that wait in the queue of the kernel', async () => {
    const clients = 30;
    const program = `
      const { workerData: { port, clients, arrived }, parentPort } = require('node:worker_threads');
      const sockets = Array.from({ length: clients }, () => require('node:net').connect(port, '127.0.0.1'));
      let [connected, text, open] = [0, '', clients];
      for (const socket of sockets) {
        socket.once('connect', () => (connected += 1) === clients && (Atomics.store(arrived, 0, 1), Atomics.notify(arrived, 0)));
        socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
        socket.on('close', () => (open -= 1) === 0 && parentPort.postMessage(text));
        socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n');
      }`;
    const arrived = new Int32Array(new SharedArrayBuffer(4));
    const other = new Worker(program, { eval: true, workerData: { port: listener.port, clients, arrived } });
    await once(other, 'online');
    // Blocks this event loop, so that no connection is accepted meanwhile.
    Atomics.wait(arrived, 0, 0, 30_000);
    const [, [text]] = await Promise.all([listener.drain(), once(other, 'message')]);
    expect(String(text).match(/HTTP\/1\.1 200/g)).to.have.length(clients);
  });

  it('the listener reports its url and port', async () => {
    expect(listener.url).to.equal(`http://127.0.0.1:${listener.port}`);
    const error = await catchRejection(listen(() => {}, { host: '127.0.0.1', port: listener.port }));
    expect(error.code).to.equal('KOINE_LISTEN_FAILED');
    expect(error.message).to.include(String(listener.port));
  });

  it('the listener survives a client that resets its connection', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\n');
    socket.resetAndDestroy();
    await wait(20);
    expect(await sendRaw(listener.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).to.match(
      /^HTTP\/1.1 200 /,
    );
  });

  it('a response that takes longer than keepAliveTimeout arrives, also on a connection that was idle before', async () => {
    const hasty = await listen(
      (request, response) => void setTimeout(() => response.end(request.url), request.url === '/late' ? 4_000 : 0),
      { host: '127.0.0.1', port: 0, keepAliveTimeout: 1_000 },
    );
    try {
      const socket = connect(hasty.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n');
      await until('the first response', () => text.endsWith('/first'));
      socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
      await until('the late response', () => text.endsWith('/late') || socket.closed);
      expect(text).to.match(/\/late$/);
      await until('the idle connection is closed', () => socket.closed);
    } finally {
      hasty.cut();
      await hasty.drain();
    }
  });

  it('a drain finishes running responses, closes idle connections and refuses new ones', async () => {
    const agent = new Agent({ keepAlive: true });
    const fetchText = (): Promise<string> =>
      new Promise((resolve, reject) => {
        get(listener.url, { agent }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.once('end', () => resolve(text)).once('error', reject);
        }).once('error', reject);
      });
    await fetchText();
    expect(Object.values(agent.freeSockets).flat(), 'one idle connection').to.have.length(1);

    const idle = connect(listener.port, '127.0.0.1');
    await once(idle, 'connect');
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');

    let open: ServerResponse | undefined;
    answer = (response) => {
      open = response;
      response.write('first ');
    };
    const running = fetchText();
    await until('a request', () => open !== undefined);

    let drained = false;
    const draining = listener.drain().finally(() => {
      drained = true;
    });
    if (!idle.closed) await once(idle, 'close');
    await wait(250);
    expect(drained, 'an answer is still running').to.equal(false);
    const refused = connect(listener.port, '127.0.0.1');
    expect(
      await Promise.race([
        once(refused, 'error').then(
          () => 'refused',
          () => 'refused',
        ),
        once(refused, 'connect').then(() => 'taken'),
      ]),
    ).to.equal('refused');

    open?.end('last');
    expect(await running).to.equal('first last');
    await draining;
    agent.destroy();
  });

  for (const bytes of ['', 'GET / HTTP/1.1\r\nHost: x\r\n']) {
    it(`a drain ends although a connection has sent ${bytes === '' ? 'nothing' : 'half a head'}, after a moment`, async () => {
      const mute = connect(listener.port, '127.0.0.1').on('error', () => {});
      const late = connect(listener.port, '127.0.0.1').on('error', () => {});
      await Promise.all([once(mute, 'connect'), once(late, 'connect')]);
      if (bytes !== '') mute.write(bytes);
      await wait(20);
      let drained = false;
      const draining = listener.drain().finally(() => {
        drained = true;
      });
      late.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(String((await once(late, 'data'))[0])).to.match(/^HTTP\/1\.1 200 /);
      expect(drained).to.equal(false);
      await until('the mute connection is given up', () => drained);
      await draining;
    });
  }

  it('the listener cuts open connections', async () => {
    answer = (response) => void response.write('begun');
    const text = sendRaw(listener.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('a request', () => requests === 1);
    const draining = listener.drain();
    listener.cut();
    await draining;
    expect(await text)
      .to.match(/^HTTP/)
      .and.not.match(/\r\n0\r\n\r\n$/);
  });
});
