import type { RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { AdminRouter } from '../../contracts/admin.ts';
import type { Clock, Log } from '../../contracts/services.ts';
import { createErrorBoundary } from '../error-boundary.ts';
import type { Health } from '../health.ts';
import { createKoa } from '../koa.ts';
import type { AdminAccess } from './access.ts';
import { createAdminGuard } from './guard.ts';
import { createLogin } from './login.ts';
import { describeApi } from './openapi.ts';
import { createAdminRoutes, type AdminRoutes } from './router.ts';
import { listOf, objectOf, text } from './schemas.ts';
import type { Sessions } from './sessions.ts';
import { createTokenCheck } from './token.ts';

export interface AdminParts {
  readonly config: Pick<GatewayConfig['admin'], 'host' | 'token'>;
  readonly health: Health;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly sessions: Sessions;
  /** Adds calls and pages, each under the name of its owner. */
  readonly fill: (routerOf: (owner: string) => AdminRouter) => void;
}

/** What is answered here is about this moment, and never to be guessed at or kept. */
const setHeaders: Middleware = (context, next) => {
  context.set('cache-control', 'no-store');
  return next();
};

/** What is known once all the others are there. */
const addOwnCalls = ({ routerOf, pages, calls }: AdminRoutes, hasToken: boolean): void => {
  const router = routerOf('the core');
  router.get('/admin/pages', () => ({ body: { login: hasToken, pages } }), {
    summary: 'The pages for people, and whether they have to sign in.',
    answer: objectOf({ login: { type: 'boolean' }, pages: listOf(objectOf({ path: text, title: text, owner: text })) }),
  });
  router.get('/admin/openapi.json', () => ({ body: describeApi(calls, hasToken) }), {
    summary: 'This description of the API, as OpenAPI 3.1.',
    answer: { type: 'object' },
  });
};

/**
 * The admin listener: health, and behind the guard the calls and pages of the core and of plugins.
 * @throws GatewayError where two want one path
 */
export function createAdminApp({
  config: { host, token },
  health,
  log,
  clock,
  sessions,
  fill,
}: AdminParts): RequestListener {
  const routes = createAdminRoutes(log);
  fill(routes.routerOf);
  addOwnCalls(routes, token !== undefined);
  const access: AdminAccess = {
    host,
    tokenCheck: token === undefined ? undefined : createTokenCheck(token, clock),
    sessions,
  };
  const app = createKoa(log);
  app
    .use(
      createErrorBoundary(
        log,
        'GET /admin/openapi.json lists what is there; a plugin brings its calls while gateway.yaml names it under plugins.',
      ),
    )
    .use(health.middleware)
    .use(setHeaders);
  app
    .use(createLogin(access, log))
    .use(createAdminGuard(access, log))
    .use(routes.middleware)
    .use(routes.allowedMethods);
  return app.callback();
}
