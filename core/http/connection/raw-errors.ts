import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnyErrorCode } from '../../errors/codes.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { STATUS_CODES } from '../../services/network/node-http.ts';
import type { Sockets } from '../socket/sockets.ts';
import { setCloseReason } from './close-reasons.ts';

/** Time for a client to read the error before its connection is destroyed. */
const RAW_ERROR_MS = 1_000;

const writeError = (code: string, message: string): string =>
  JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } });

/** Writes an error directly to the socket, where Node has no request or response object. */
const writeRawError = (socket: Duplex, status: number, code: string, message: string): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = writeError(code, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: application/json',
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that keeps sending, or keeps its side open, must not hold the connection.
  setTimeout(() => socket.destroy(), RAW_ERROR_MS).unref();
};

const writeRefusal = (socket: Duplex, { status, code, publicMessage }: GatewayError): void =>
  writeRawError(socket, status, code, publicMessage);

const brokenRequests: Readonly<Record<string, readonly [status: number, code: AnyErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'request_too_large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
};

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** An error that is written now would end up in the middle of the response. */
const isResponding = (response: ServerResponse | undefined): boolean =>
  response !== undefined && response.headersSent && !response.writableFinished;

/** Responds to requests that are broken or late. `ended` has the connections on which nothing more is written. */
const handleClientErrors = (server: Server, latest: WeakMap<Duplex, ServerResponse>, ended: WeakSet<Duplex>): void => {
  const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    // The rest of the request is read as well: a connection that is closed over unread data is reset with the response.
    if (ended.has(socket)) return;
    ended.add(socket);
    if (error.code === 'ECONNRESET' || isResponding(latest.get(socket))) {
      socket.destroy();
      return;
    }
    // A client that ends in the middle of a request has left, but can still read the error.
    const left = error.code === 'HPE_INVALID_EOF_STATE';
    const [status, code, message] = brokenRequests[error.code ?? ''] ?? [
      400,
      'invalid_request',
      'The request is not valid HTTP.',
    ];
    if (!left) setCloseReason(socket, new GatewayError(code, message));
    writeRawError(socket, status, code, message);
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuse(error, socket);
      return;
    }
    const before = latest.get(socket);
    const isNext = before?.req.complete ?? true;
    // After the event loop was blocked, Node compares the time before it reads what has arrived meanwhile.
    setImmediate(() => {
      const request = latest.get(socket);
      const hasArrived = request?.req.complete === true && !(isNext && request === before);
      if (!hasArrived) refuse(error, socket);
    });
  });
};

/** Responds to broken requests, unknown expectations and protocol upgrades, which never become a request event. */
export const handleRawErrors = (
  server: Server,
  latest: WeakMap<Duplex, ServerResponse>,
  sockets: Sockets | undefined,
): void => {
  /** Connections on which an error was written, or that were handed over with an upgrade. */
  const ended = new WeakSet<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    ended.add(socket);
    if (isResponding(latest.get(socket))) socket.destroy();
    else if (sockets === undefined || !isWebSocket(request)) writeRefusal(socket, new GatewayError('upgrade_refused'));
    else sockets.upgrade(request, socket, head).catch((thrown) => writeRefusal(socket, toGatewayError(thrown)));
  });
  // Otherwise Node responds without a body.
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    response.writeHead(417, { 'content-type': 'application/json' });
    response.end(writeError('invalid_request', 'The only expectation that the gateway meets is 100-continue.'));
  });
  handleClientErrors(server, latest, ended);
};
