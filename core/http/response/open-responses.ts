import type { Server } from 'node:http';
import type { GatewayError } from '../../errors/gateway-error.ts';
import { closeReasonOf } from '../connection/close-reasons.ts';
import type { GatewayResponse } from './gateway-response.ts';
import { cutUnread } from '../connection/graceful-close.ts';

/** The answers of a server that are not complete. */
export interface OpenResponses {
  /** Each answer is the last of its connection from now on. */
  endKeepAlive(): void;
  /** Gives every exchange this reason to end: it is answered, or its stream ended, in its own wire. */
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
  // To Node a connection is idle as soon as its answer is ended, though much of it may still wait for a client that reads slowly.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...open].some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished)) closeIdle();
  };
  // Before the server's own listener, which may answer at once.
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
