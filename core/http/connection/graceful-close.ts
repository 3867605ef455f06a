import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may go on sending what nobody keeps. */
const GRACE_MS = 1_000;

/**
 * A connection that is closed with bytes unread is reset, and the client may lose the answer with it. This one, once it
 * is to end, says so and goes on reading for a moment.
 */
export function closeGracefully(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), GRACE_MS).unref();
  };
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Says in the answer that its connection ends, where the body of the request has not come whole: nothing more of it is
 * wanted.
 */
export function closeUnread(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || !hasBody(req) || res.headersSent) return;
  res.setHeader('connection', 'close');
  closeGracefully(req.socket);
}

/**
 * A request that was answered before its body had come, at whatever path: the client may send the rest for a moment,
 * which nothing keeps, and use the connection again. Then it is closed.
 */
export function cutUnread(request: IncomingMessage): void {
  if (request.complete || request.socket.destroyed) return;
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, GRACE_MS).unref();
}
