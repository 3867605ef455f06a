import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../errors.ts';

const cut = new WeakSet<Socket>();

/**
 * Cuts connections on which something waits to be sent and nothing has moved for so many milliseconds. Node's own timer tells: it starts anew
 * with everything that is read or written, and also while a long write goes on. Where nothing waits, a silent connection is left alone.
 */
export const cutStalled = (server: Server, afterMs: number): void => {
  server.setTimeout(afterMs, (socket) => {
    if (socket.writableLength === 0) return;
    cut.add(socket);
    socket.destroy();
  });
};

/** Why a connection ended before its answer did. */
export const departureOf = (socket: Socket): GatewayError => new GatewayError('client_closed', cut.has(socket) ? 'The client had stopped reading, and was cut (server.writeStall).' : undefined);
