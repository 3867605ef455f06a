import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';
import type { SocketTurn } from '../../../../core/contracts/framing.ts';
import { SocketSession } from '../../../../core/http/socket/socket-session.ts';
import { until } from '../../../support/until.ts';

/** A socket that keeps what it sends. */
class TestSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly bufferedAmount = 0;
  readonly sent: string[] = [];
  send(message: string): void {
    this.sent.push(message);
  }
  close(): void {}
  terminate(): void {}
}

const turn: SocketTurn = {
  stream: '',
  start: () => ({ body: Buffer.from('{}') }),
  writeEvent: (data) => JSON.stringify({ event: JSON.parse(data) as unknown }),
  writeRefusal: (status, body) => JSON.stringify({ status, body: JSON.parse(body) as unknown }),
  writeError: ({ code }) => JSON.stringify({ code }),
};

/** What the client gets for two requests, one after the other, whose responses are these. */
const answersTo = async (listener: RequestListener): Promise<readonly unknown[]> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = new TestSocket();
  const session = new SocketSession({
    socket: socket as unknown as WebSocket,
    dialog: { read: () => turn, writeError: ({ code }) => code, heldBytes: 0, forget: () => {} },
    context: { now: () => 0, newId: (prefix) => prefix },
    frameBytes: 1_000,
    send: (body) => request({ port, host: '127.0.0.1', method: 'POST', agent: false }).end(body),
    count: () => {},
  });
  for (let times = 0; times < 2; times += 1) socket.emit('message', Buffer.from('{}'), false);
  await until('both requests are answered', () => socket.sent.length === 2);
  session.end(true);
  socket.emit('close');
  server.closeAllConnections();
  server.close();
  return socket.sent.map((message) => JSON.parse(message) as unknown);
};

const twice = (answer: unknown): readonly unknown[] => [answer, answer];

describe('a session of a WebSocket', () => {
  const events = { 'content-type': 'text/event-stream' };

  it('relays events, and runs the next request after the end of a response', async () => {
    expect(
      await answersTo((_request, response) => response.writeHead(200, events).end('data: {"a":1}\n\n')),
    ).to.deep.equal(twice({ event: { a: 1 } }));
  });

  it('a refusal is one message', async () => {
    expect(await answersTo((_request, response) => response.writeHead(400).end('{"no":1}'))).to.deep.equal(
      twice({ status: 400, body: { no: 1 } }),
    );
  });

  const broken: readonly (readonly [what: string, listener: RequestListener, code: string])[] = [
    [
      'an event that is no JSON',
      (_request, response) => response.writeHead(200, events).end('data: {\n\n'),
      'internal_error',
    ],
    ['a refusal that is no JSON', (_request, response) => response.writeHead(500).end('<html>'), 'internal_error'],
    [
      'an event that is too long',
      (_request, response) => response.writeHead(200, events).end(`data: "${'x'.repeat(2_000)}"\n\n`),
      'upstream_bad_response',
    ],
    ['a connection that breaks', (_request, response) => response.destroy(), 'internal_error'],
  ];
  for (const [what, listener, code] of broken)
    it(`${what} is an error of its request, and the next request runs`, async () => {
      expect(await answersTo(listener)).to.deep.equal(twice({ code }));
    });
});
