import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../../errors/gateway-error.ts';

const reasons = new WeakMap<Duplex, GatewayError>();

/** Records why the gateway itself is about to end a connection. */
export const setCloseReason = (socket: Duplex, error: GatewayError): void => void reasons.set(socket, error);

/** Why a connection ended before its response was complete. Without a recorded reason, the client has left. */
export const closeReasonOf = (socket: Duplex): GatewayError => reasons.get(socket) ?? new GatewayError('client_closed');

/**
 * Destroys connections whose client has read nothing for `afterMs` while data waits to be sent. This uses Node's socket
 * timeout, which restarts with every read and write, also in the middle of a long write. Node uses the same timeout for
 * `keepAliveTimeout` after the last response, and then leaves the end of the connection to this handler as well. A
 * connection that waits for a response is left alone.
 *
 * @param latest the latest response of each connection
 */
export function closeStalledConnections(
  server: Server,
  afterMs: number,
  latest: WeakMap<Duplex, ServerResponse>,
): void {
  server.setTimeout(afterMs, (socket) => {
    if (socket.writableLength === 0) {
      if (latest.get(socket)?.writableFinished === true) socket.destroy();
      return;
    }
    setCloseReason(
      socket,
      new GatewayError(
        'client_closed',
        'The client stopped reading, so its connection was closed (server.writeStall).',
      ),
    );
    socket.destroy();
  });
}
