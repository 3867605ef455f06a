import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Milliseconds for which the rest of a request is received and discarded, as with nginx (`lingering_timeout`). A client
 * that is busy sending reads its response late: https://nginx.org/en/docs/http/ngx_http_core_module.html
 */
const GRACE_MS = 5_000;

/**
 * Makes the socket close gracefully: it sends FIN, keeps reading for a moment, and is then destroyed. A socket that is
 * closed with unread bytes sends a reset instead, which can cost the client the response.
 */
export function closeGracefully(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), GRACE_MS).unref();
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Closes the connection after the response if the body of the request has not been received completely. */
export function closeUnread(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || !hasBody(req) || res.headersSent) return;
  res.setHeader('connection', 'close');
  closeGracefully(req.socket);
}

/**
 * For a request with a response but without its complete body: the client can send the rest within the grace period and
 * reuse the connection. After it, the connection is destroyed.
 */
export function cutUnread(request: IncomingMessage): void {
  if (request.complete || request.socket.destroyed) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, GRACE_MS).unref();
}
