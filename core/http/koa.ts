import Koa from 'koa';
import type { Log } from '../contracts/services.ts';

/** What a socket says whose client is gone: the exchange has an outcome for it, and nobody has failed. */
const disconnects: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** A Koa application whose failures go to the log. */
export function createKoa(log: Log): Koa {
  const app = new Koa();
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (!disconnects.has(error.code)) log.error({ error }, 'http failed');
  });
  return app;
}
