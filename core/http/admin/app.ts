import type { RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { AdminRouter } from '../../contracts/admin.ts';
import type { Log } from '../../contracts/services.ts';
import { createErrorBoundary } from '../error-boundary.ts';
import type { Health } from '../health.ts';
import { createKoa } from '../koa.ts';
import { createAdminGuard } from './guard.ts';
import { createAdminRoutes } from './router.ts';

export interface AdminParts {
  readonly config: Pick<GatewayConfig['admin'], 'host' | 'token'>;
  readonly health: Health;
  readonly log: Log;
  /** Adds calls and pages, each under the name of its owner. */
  readonly fill: (routerOf: (owner: string) => AdminRouter) => void;
}

/** What is answered here is about this moment, and never to be guessed at or kept. */
const setHeaders: Middleware = (context, next) => {
  context.set('cache-control', 'no-store');
  context.set('x-content-type-options', 'nosniff');
  return next();
};

/** The admin listener: health, and behind the guard the calls and pages of the core and of plugins. @throws GatewayError where two want one path */
export const createAdminApp = ({ config, health, log, fill }: AdminParts): RequestListener => {
  const routes = createAdminRoutes(log, config.token === undefined ? 'loopback' : 'token');
  fill(routes.routerOf);
  const app = createKoa(log);
  app.use(createErrorBoundary(log)).use(health.middleware).use(setHeaders).use(createAdminGuard(config, log)).use(routes.middleware).use(routes.allowedMethods);
  return app.callback();
};
