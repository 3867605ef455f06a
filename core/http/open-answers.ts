import type { Server, ServerResponse } from 'node:http';
import type { GatewayError } from '../errors.ts';
import { cutUnread } from './linger.ts';

const controllers = new WeakMap<ServerResponse, AbortController>();

/** Whoever answers a request that may be ended from outside says how. */
export const tieAnswer = (response: ServerResponse, controller: AbortController): void => void controllers.set(response, controller);

/** The answers of a server that are not complete. */
export interface OpenAnswers {
  /** Each answer is the last of its connection from now on. */
  fade(): void;
  /** Gives every exchange this reason to end: it is answered, or its stream ended, in its own wire. */
  end(reason: GatewayError): void;
}

export const watchAnswers = (server: Server): OpenAnswers => {
  const open = new Set<ServerResponse>();
  let isFading = false;
  const leave = function (this: ServerResponse): void {
    open.delete(this);
    cutUnread(this.req);
  };
  const fadeOne = (response: ServerResponse): void => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };
  // To Node a connection is idle as soon as its answer is ended, though much of it may still wait for a client that reads slowly.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...open].some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished)) closeIdle();
  };
  // Before the server's own listener, which may answer at once.
  server.prependListener('request', (_request, response) => {
    open.add(response);
    response.once('close', leave);
    if (isFading) fadeOne(response);
  });
  return {
    fade: () => {
      isFading = true;
      open.forEach(fadeOne);
    },
    end: (reason) => open.forEach((response) => controllers.get(response)?.abort(reason)),
  };
};
