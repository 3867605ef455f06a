import { readFileSync } from 'node:fs';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../errors/codes.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createServer as createHttpServer, STATUS_CODES } from '../../services/network/node-http.ts';
import { closeStalledConnections, setCloseReason } from './close-reasons.ts';
import { watchOpenResponses, type OpenResponses } from '../response/open-responses.ts';
import { GatewayResponse } from '../response/gateway-response.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Milliseconds: for the head of a request, for all of it, and until a client is cut that takes nothing. */
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly writeStall?: number;
  readonly maxConnections?: number;
}

/** What happens to connections as they come. */
export interface ListenEvents {
  /** May this connection stay? Called as it comes; default: it may. */
  admit?(socket: Socket): boolean;
  /** It was closed as it came: there were too many. */
  refused(): void;
  /** It could not be accepted: there are no descriptors left. */
  failed(error: Error): void;
}

export interface Listener extends OpenResponses {
  readonly url: string;
  readonly port: number;
  /** Takes no new connection; resolves when the last one is done. */
  drain(): Promise<void>;
  /** Cuts what is left. */
  cut(): void;
}

const noEvents: ListenEvents = { refused: () => {}, failed: () => {} };

/** Above the 60 s that load balancers keep an idle connection: the side that reuses must not be the side that closes. */
const KEEP_ALIVE_MS = 72_000;
const DRAIN_SWEEP_MS = 100;
const HEADERS_MS = 20_000;
const REQUEST_MS = 300_000;
const STALL_MS = 60_000;
/** How long a client may take to read why its connection ends. */
const FAREWELL_MS = 1_000;
/** How often Node looks for requests that are late. */
const CHECK_MS = 1_000;
/** How long a connection may stay without a whole request head once the server drains: long enough for one that is on its way. */
const MUTE_GRACE_MS = 1_000;

const answerRaw = (socket: Duplex, status: number, code: string, message: string): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // Time to read it; a client that goes on sending, or holds its end open, does not keep the connection.
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
};

const brokenRequests: Readonly<Record<string, readonly [status: number, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'request_too_large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

/** What is not HTTP any more: broken requests and protocol upgrades get an answer, not silence. */
const answerOddities = (server: Server): void => {
  const answers = new WeakMap<Duplex, ServerResponse>();
  /** An answer is on its way: anything else written now would stand in the middle of it. */
  const isAnswering = (socket: Duplex): boolean => {
    const answer = answers.get(socket);
    return answer !== undefined && answer.headersSent && !answer.writableFinished;
  };
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('upgrade', (_request, socket) => {
    if (isAnswering(socket)) socket.destroy();
    else answerRaw(socket, 426, 'upgrade_refused', 'WebSocket is not spoken here; use HTTP with server-sent events.');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    // Who ends in the middle of a request has left, though it may still read why.
    const left = error.code === 'HPE_INVALID_EOF_STATE';
    const [status, code, message] = brokenRequests[error.code ?? ''] ?? [
      400,
      'invalid_request',
      'The request is not valid HTTP.',
    ];
    if (!left) setCloseReason(socket, new GatewayError(code, message));
    answerRaw(socket, status, code, message);
  });
};

/** Connections that have not sent a request yet. Node counts them as busy, and a server that closes would wait for them for ever. */
const watchMute = (server: Server, event: 'connection' | 'secureConnection'): ReadonlySet<Socket> => {
  const mute = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    mute.add(socket);
    socket.once('close', () => mute.delete(socket));
  });
  server.on('request', ({ socket }) => mute.delete(socket));
  return mute;
};

const bind = (server: Server, { host, port }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(new GatewayError('KOINE_LISTEN_FAILED', `${host}:${port} cannot be bound: ${cause.message}`, { cause }));
    server.once('error', fail).listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });

/** @throws GatewayError `KOINE_LISTEN_FAILED` */
export async function listen(
  handler: RequestListener,
  options: ListenOptions,
  events: ListenEvents = noEvents,
): Promise<Listener> {
  const {
    tls,
    host,
    headersTimeout = HEADERS_MS,
    requestTimeout = REQUEST_MS,
    writeStall = STALL_MS,
    maxConnections,
  } = options;
  // Node wants the head to be due before the whole; of two settings that say otherwise the shorter one holds.
  const settings = {
    ServerResponse: GatewayResponse,
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: CHECK_MS,
  };
  const server: Server =
    tls === undefined
      ? createHttpServer(settings, handler)
      : createHttpsServer(
          {
            ...settings,
            handshakeTimeout: settings.headersTimeout,
            cert: readFileSync(tls.cert),
            key: readFileSync(tls.key),
          },
          handler,
        );
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  // A worker that is full would hand a connection back, and where all are full the primary would offer it round and round. No type knows the member.
  Object.assign(server, { dropMaxConnection: true });
  server.on('drop', () => events.refused());
  server.on('connection', (socket: Socket) => {
    if (events.admit?.(socket) === false) socket.destroy();
  });
  const answers = watchOpenResponses(server);
  answerOddities(server);
  closeStalledConnections(server, writeStall);
  const mute = watchMute(server, tls === undefined ? 'connection' : 'secureConnection');
  await bind(server, options);
  server.on('error', events.failed);
  const { port } = server.address() as AddressInfo;
  return {
    ...answers,
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    drain: () =>
      new Promise((resolve) => {
        // A connection that was busy when the server closed goes idle later, and nobody else would close it.
        const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_SWEEP_MS);
        const hush = setTimeout(() => mute.forEach((socket) => socket.destroy()), MUTE_GRACE_MS);
        server.close(() => {
          clearInterval(sweep);
          clearTimeout(hush);
          resolve();
        });
      }),
    cut: () => server.closeAllConnections(),
  };
}
