import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayError } from '../../errors/gateway-error.ts';
import { closeReasonOf } from '../connection/close-reasons.ts';
import type { GatewayResponse } from './gateway-response.ts';
import { cutUnread } from '../connection/graceful-close.ts';

/** The responses of a server that are not complete. */
export interface OpenResponses {
  /** From now on, each connection closes after its current response. */
  endKeepAlive(): void;
  /** Aborts every exchange with this error, which its client gets in its own wire. */
  end(reason: GatewayError): void;
}

/** @param maxRequests of one connection, which closes after the last of them */
export function watchOpenResponses(server: Server, maxRequests = Infinity): OpenResponses {
  const requests = new WeakMap<Socket, number>();
  const open = new Set<GatewayResponse>();
  let isDraining = false;
  const leave = function (this: GatewayResponse): void {
    open.delete(this);
    if (!this.writableFinished) this.abort(closeReasonOf(this.req.socket));
    cutUnread(this.req);
  };
  const endKeepAliveOf = (response: GatewayResponse): void => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };
  const isLast = (socket: Socket): boolean => {
    if (maxRequests === Infinity) return false;
    const count = (requests.get(socket) ?? 0) + 1;
    requests.set(socket, count);
    return count >= maxRequests;
  };
  // Node treats a connection as idle as soon as its response has ended, although data can still wait for a slow client.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...open].some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished)) closeIdle();
  };
  // Runs before the server's own listener, which can respond at once.
  server.prependListener('request', ({ socket }, given) => {
    const response = given as GatewayResponse;
    open.add(response);
    response.once('close', leave);
    if (isLast(socket) || isDraining) endKeepAliveOf(response);
  });
  return {
    endKeepAlive: () => {
      isDraining = true;
      open.forEach(endKeepAliveOf);
    },
    end: (reason) => open.forEach((response) => response.abort(reason)),
  };
}
