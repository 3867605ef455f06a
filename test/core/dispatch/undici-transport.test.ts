import { expect } from 'chai';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createUndiciTransport } from '../../../core/dispatch/undici-transport.ts';
import type { Transport } from '../../../core/api/index.ts';
import { catchRejection } from '../exchange/catch-error.ts';
import { readAll, startRawUpstream, type RawUpstream } from './raw-upstream.ts';

const none = new AbortController().signal;
const PATIENCE = { connect: 2_000 };

describe('the transport to a provider', () => {
  let upstream: RawUpstream | undefined;
  let transport: { readonly send: Transport; close(): Promise<void> };
  const start = async (answer: (socket: Socket) => void): Promise<RawUpstream> => {
    upstream = await startRawUpstream(answer);
    return upstream;
  };
  beforeEach(() => {
    transport = createUndiciTransport(PATIENCE);
  });
  afterEach(async () => {
    await transport.close();
    await upstream?.stop();
    upstream = undefined;
  });

  it('sends method, path, headers and bytes, and returns status, headers and bytes', async () => {
    const { request, received } = await start((socket) =>
      socket.write('HTTP/1.1 201 Created\r\nX-One: 1\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok'),
    );
    const reply = await transport.send(request('/v1/chat?x=1'), none);
    expect(received.text).to.match(/^POST \/v1\/chat\?x=1 HTTP\/1\.1\r\n/);
    expect(received.text).to.match(/\r\n\r\n\{"a":1\}$/);
    expect(received.text)
      .to.include('content-type: application/json')
      .and.to.match(/content-length: 7/i);
    expect(reply.status).to.equal(201);
    expect(reply.headers).to.include({ 'x-one': '1', 'set-cookie': 'a, b' });
    let text = '';
    for await (const chunk of reply.body) text += Buffer.from(chunk).toString();
    expect(text).to.equal('ok');
  });

  it('the transport reuses a connection', async () => {
    const { request, sockets } = await start((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    for (let call = 0; call < 3; call += 1) {
      expect(await readAll(transport.send, request())).to.equal('ok');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(sockets).to.have.length(1);
  });

  it('reports upstream_unreachable if nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const error = await catchRejection(
      transport.send({ origin: `http://127.0.0.1:${port}`, path: '/', headers: {}, body: new Uint8Array() }, none),
    );
    expect(error).to.include({ code: 'upstream_unreachable', failure: 'transient' });
    expect(error.message).to.include('ECONNREFUSED');
    expect(error.publicMessage, 'a client learns nothing of the inside').to.not.include(String(port));
  });

  it('reports upstream_unreachable if the name does not exist', async () => {
    const error = await catchRejection(
      transport.send({ origin: 'http://name.invalid', path: '/', headers: {}, body: new Uint8Array() }, none),
    );
    expect(error.code).to.equal('upstream_unreachable');
    expect(error.message).to.match(/ENOTFOUND|EAI_AGAIN/);
  });

  it('reports upstream_reset if the connection is reset before the response', async () => {
    const { request } = await start((socket) => socket.resetAndDestroy());
    expect((await catchRejection(transport.send(request(), none))).code).to.equal('upstream_reset');
  });

  it('reports upstream_reset if the connection is closed before the response', async () => {
    const { request } = await start((socket) => socket.end());
    expect((await catchRejection(transport.send(request(), none))).code).to.equal('upstream_reset');
  });

  it('reports upstream_reset if the response is not HTTP', async () => {
    const { request } = await start((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    expect((await catchRejection(transport.send(request(), none))).code).to.equal('upstream_reset');
  });

  for (const [how, cut] of [
    ['cut', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.end()],
  ] as const) {
    it(`reports upstream_reset if the connection is ${how} in the middle of the response, after what came before`, async () => {
      const { request } = await start((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
        setTimeout(() => cut(socket), 30);
      });
      const { body } = await transport.send(request(), none);
      const chunks = body[Symbol.asyncIterator]();
      expect(Buffer.from((await chunks.next()).value as Uint8Array).toString()).to.equal('first');
      expect((await catchRejection(chunks.next())).code).to.equal('upstream_reset');
    });
  }

  it('the transport does not follow a redirect', async () => {
    const { request, received } = await start((socket) =>
      socket.write(`HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n`),
    );
    const { status, headers } = await transport.send(request(), none);
    expect(status).to.equal(307);
    expect(headers['location']).to.equal('/elsewhere');
    expect(received.text).to.not.include('elsewhere');
  });
});
