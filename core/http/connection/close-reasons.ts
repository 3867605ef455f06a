import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../../errors/gateway-error.ts';

const reasons = new WeakMap<Duplex, GatewayError>();

/** Says why a connection is about to end that the gateway ends itself. */
export const setCloseReason = (socket: Duplex, error: GatewayError): void => void reasons.set(socket, error);

/** Why a connection ended before its answer did. Nobody having said anything, the client has left. */
export const closeReasonOf = (socket: Duplex): GatewayError => reasons.get(socket) ?? new GatewayError('client_closed');

/**
 * Cuts connections on which something waits to be sent and nothing has moved for so many milliseconds. Node's own timer tells: it starts anew
 * with everything that is read or written, and also while a long write goes on. Where nothing waits, a silent connection is left alone.
 */
export function closeStalledConnections(server: Server, afterMs: number): void {
  server.setTimeout(afterMs, (socket) => {
    if (socket.writableLength === 0) return;
    setCloseReason(
      socket,
      new GatewayError('client_closed', 'The client had stopped reading, and was cut (server.writeStall).'),
    );
    socket.destroy();
  });
}
