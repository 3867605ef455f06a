import Koa from 'koa';
import type { Log } from '../contracts/services.ts';

/** Errors of a client that has left. They are no failure: the request has an outcome for them. */
const disconnects: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'client_closed',
]);

/** A Koa application that logs its errors. */
export function createKoa(log: Log): Koa {
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (!disconnects.has(error.code)) log.error({ error }, 'http failed');
  });
  return app;
}
