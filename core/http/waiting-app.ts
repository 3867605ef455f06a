import type { RequestListener } from 'node:http';
import type { Log } from '../contracts/services.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { createErrorBoundary } from './error-boundary.ts';
import type { Health } from './health.ts';
import { createKoa } from './koa.ts';

/** The listener until startup is complete: it serves health, and 503 for everything else. */
export function createWaitingApp(health: Health, log: Log): RequestListener {
  const app = createKoa(log);
  app.use(createErrorBoundary(log, 'The gateway is starting.')).use(health.middleware);
  app.use(() => {
    throw new GatewayError('starting');
  });
  return app.callback();
}
