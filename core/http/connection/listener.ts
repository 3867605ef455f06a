import type { RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import { Socket, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { KeyPair } from '../../config/certificates/key-pair.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createServer as createHttpServer } from '../../services/network/node-http.ts';
import { closeStalledConnections } from './close-reasons.ts';
import { handleRawErrors } from './raw-errors.ts';
import { watchOpenResponses, type OpenResponses } from '../response/open-responses.ts';
import { GatewayResponse } from '../response/gateway-response.ts';
import { openSockets, type AcceptSocket } from '../socket/sockets.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Other threads of this process listen on the same port: the kernel gives each new connection to one of them. */
  readonly reusePort?: boolean;
  /** Serve HTTPS with this certificate. */
  readonly tls?: KeyPair;
  /** Milliseconds: for the head of a request, for the whole request, and until a client that does not read is cut. */
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly writeStall?: number;
  /** Milliseconds after which a connection without a request is closed. */
  readonly keepAliveTimeout?: number;
  readonly maxConnections?: number;
  /** A connection closes after so many requests. */
  readonly maxRequestsPerConnection?: number;
  /** Bytes of the longest body, and of the longest message of a WebSocket. */
  readonly bodyLimit?: number;
}

/** Callbacks for new connections. */
export interface ListenEvents {
  /** Returns false to close the connection at once. Default: all connections are admitted. */
  admit?(socket: Socket): boolean;
  /** A connection was closed at once, because there were too many. */
  refused(): void;
  /** A connection could not be accepted, for example because there are no file descriptors left. */
  failed(error: Error): void;
  /** Decides about upgrades to WebSocket. Absent: all are refused. */
  readonly acceptSocket?: AcceptSocket;
}

export interface Listener extends OpenResponses {
  readonly url: string;
  readonly port: number;
  /** Serves new connections with this certificate, if the listener has TLS. Open ones keep theirs. */
  renew(pair: KeyPair): void;
  /** Accepts no new connections. Resolves when the last one has closed. */
  drain(): Promise<void>;
  /** Destroys the remaining connections. */
  cut(): void;
}

const noEvents: ListenEvents = { refused: () => {}, failed: () => {} };

/**
 * Above the 60 s for which load balancers keep idle connections, so that they close first and never reuse a closed one.
 */
const KEEP_ALIVE_MS = 72_000;
const DRAIN_SWEEP_MS = 100;
const HEADERS_MS = 20_000;
const REQUEST_MS = 300_000;
const STALL_MS = 60_000;
const BODY_BYTES = 20_971_520;
/** Interval in which Node checks the timeouts of requests. */
const CHECK_MS = 1_000;
/** Time for a connection without a request when the server drains: its first request can be under way. */
const SILENT_GRACE_MS = 1_000;
/** How long a server that drains goes on to accept connections that come one after the other. */
const QUEUE_MS = 500;

/**
 * The connections that have not sent a request yet. Node counts them as busy, so a server that closes would wait for
 * them forever.
 */
const watchSilent = (server: Server, event: 'connection' | 'secureConnection'): ReadonlySet<Socket> => {
  const silent = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return silent;
};

const bind = (server: Server, { host, port, reusePort = false }: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (cause: Error): void => reject(createListenError({ host, port }, cause));
    server.once('error', fail).listen({ host, port, reusePort }, () => {
      server.off('error', fail);
      resolve();
    });
  });

const createServer = (
  handler: RequestListener,
  {
    tls,
    headersTimeout = HEADERS_MS,
    requestTimeout = REQUEST_MS,
    keepAliveTimeout = KEEP_ALIVE_MS,
    maxConnections,
  }: ListenOptions,
): Server => {
  const settings = {
    ServerResponse: GatewayResponse,
    keepAliveTimeout,
    noDelay: true,
    // Node requires that the head is not due after the whole request.
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
            ...tls,
          },
          handler,
        );
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  return server;
};

/**
 * Accepts what waits in the queue of the kernel: the kernel resets those connections when the server closes, and gives
 * them to no other listener on the port.
 */
const emptyQueue = async (server: Server): Promise<void> => {
  let quiet = 0;
  const accepted = (): void => void (quiet = 0);
  server.on('connection', accepted).on('drop', accepted);
  // An immediate can come before the port is looked at, the one after it cannot. A busy port always has new ones.
  for (const deadline = performance.now() + QUEUE_MS; quiet < 2 && performance.now() < deadline; await nextTurn())
    quiet += 1;
  server.off('connection', accepted).off('drop', accepted);
};

/** Closes the server and its idle connections. Resolves when the last connection has closed. */
const drain = async (server: Server, silent: ReadonlySet<Socket>): Promise<void> => {
  await emptyQueue(server);
  await new Promise<void>((resolve) => {
    // A connection that is busy when the server closes becomes idle later, and Node does not close it then.
    const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_SWEEP_MS);
    const closeSilent = setTimeout(() => silent.forEach((socket) => socket.destroy()), SILENT_GRACE_MS);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(closeSilent);
      resolve();
    });
  });
};

/** The error of an address that cannot be bound, with where its port is set. */
export const createListenError = ({ host, port }: Pick<ListenOptions, 'host' | 'port'>, cause: unknown): GatewayError =>
  new GatewayError(
    'KOINE_LISTEN_FAILED',
    `${host}:${port} cannot be bound: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      'Choose another port: --port (server.port) for clients, --admin-port (admin.port) for operators.',
    { cause },
  );

/** @throws GatewayError `KOINE_LISTEN_FAILED` */
export async function listen(
  handler: RequestListener,
  options: ListenOptions,
  events: ListenEvents = noEvents,
): Promise<Listener> {
  const { tls, host, writeStall = STALL_MS } = options;
  const latest = new WeakMap<Duplex, ServerResponse>();
  const server = createServer((request, response) => {
    // After an error on its connection, a request cannot be answered.
    if (!request.socket.writable) return;
    latest.set(request.socket, response);
    handler(request, response);
  }, options);
  server.on('drop', () => events.refused());
  server.on('connection', (socket: Duplex) => {
    // A connection in memory belongs to a WebSocket, whose connection is counted.
    if (socket instanceof Socket && events.admit?.(socket) === false) socket.destroy();
  });
  const event = tls === undefined ? 'connection' : 'secureConnection';
  const { acceptSocket: accept } = events;
  const sockets = accept && (await openSockets({ server, event, accept, maxBytes: options.bodyLimit ?? BODY_BYTES }));
  const responses = watchOpenResponses(server, options.maxRequestsPerConnection);
  handleRawErrors(server, latest, sockets);
  closeStalledConnections(server, writeStall, latest);
  const silent = watchSilent(server, event);
  await bind(server, options);
  server.on('error', events.failed);
  const { port } = server.address() as AddressInfo;
  return {
    end: responses.end,
    endKeepAlive: () => {
      responses.endKeepAlive();
      sockets?.end(false);
    },
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    renew: (pair) => {
      if (server instanceof HttpsServer) server.setSecureContext({ ...pair });
    },
    drain: () => {
      sockets?.end(true);
      return drain(server, silent);
    },
    cut: () => {
      server.closeAllConnections();
      sockets?.cut();
    },
  };
}
