import type { Server } from 'node:http';
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

export function watchOpenResponses(server: Server): OpenResponses {
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
  // Node treats a connection as idle as soon as its response has ended, although data can still wait for a slow client.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...open].some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished)) closeIdle();
  };
  // Runs before the server's own listener, which can respond at once.
  server.prependListener('request', (_request, given) => {
    const response = given as GatewayResponse;
    open.add(response);
    response.once('close', leave);
    if (isDraining) endKeepAliveOf(response);
  });
  return {
    endKeepAlive: () => {
      isDraining = true;
      open.forEach(endKeepAliveOf);
    },
    end: (reason) => open.forEach((response) => response.abort(reason)),
  };
}
