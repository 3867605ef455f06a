import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Transport, UpstreamRequest } from '../../../core/api/index.ts';

export interface RawUpstream {
  readonly origin: string;
  readonly sockets: readonly Socket[];
  /** What was received, all connections together. */
  readonly received: { text: string };
  request(path?: string): UpstreamRequest;
  /** Resolves when the gateway has closed every connection. */
  closed(): Promise<void>;
  stop(): Promise<void>;
}

/** A provider at socket level: it sends what a test writes, after the whole request has arrived. */
export const startRawUpstream = async (answer: (socket: Socket) => void): Promise<RawUpstream> => {
  const sockets: Socket[] = [];
  const received = { text: '' };
  const server = createServer((socket) => {
    sockets.push(socket);
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received.text += chunk.toString();
      request += chunk.toString();
      if (!request.endsWith('{"a":1}')) return;
      request = '';
      answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    sockets,
    received,
    request: (path = '/v1') => ({
      origin,
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"a":1}'),
    }),
    closed: async () => {
      for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** The whole result of one request. */
export const readAll = async (
  send: Transport,
  request: UpstreamRequest,
  signal = new AbortController().signal,
): Promise<string> => {
  const { body } = await send(request, signal);
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
};

/** Milliseconds until a promise settles. */
export const measure = async (pending: Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await pending.catch(() => {});
  return performance.now() - startedAt;
};
