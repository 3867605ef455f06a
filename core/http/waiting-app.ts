import type { RequestListener } from 'node:http';
import type { Log } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { createErrorBoundary } from './error-boundary.ts';
import type { Health } from './health.ts';
import { createKoa } from './koa.ts';

/** What a listener answers before there is anything behind it: its health, and that everything else has to wait. */
export function createWaitingApp(health: Health, log: Log): RequestListener {
  const app = createKoa(log);
  app.use(createErrorBoundary(log, 'The gateway starts.')).use(health.middleware);
  app.use(() => {
    throw new GatewayError('starting');
  });
  return app.callback();
}
