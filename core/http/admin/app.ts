import type { RequestListener } from 'node:http';
import type { Middleware } from 'koa';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { AdminReply, AdminRequest, AdminRouter } from '../../contracts/admin.ts';
import type { Clock, Log } from '../../contracts/services.ts';
import { createErrorBoundary } from '../error-boundary.ts';
import type { Health } from '../health.ts';
import { createKoa } from '../koa.ts';
import { compressText } from '../response/compress.ts';
import { requiresLogin, type AdminAccess } from './access.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { createRecordCall } from './audit/record-call.ts';
import { createAccessCheck } from './access-check.ts';
import { createLogin } from './login/login.ts';
import { describeApi } from './openapi.ts';
import { covers, roles } from './roles.ts';
import { AdminRoutes } from './router.ts';
import { listOf, objectOf, text } from './schemas.ts';
import { RoleRenewal } from './login/oidc/renewal.ts';
import type { OidcSignIn } from './login/oidc/sign-in.ts';
import type { Sessions } from './login/sessions.ts';
import { createTokenCheck } from './login/token.ts';
import type { Directory } from './scim/directory.ts';
import { createScim, type ScimParts } from './scim/scim.ts';

export interface AdminParts {
  readonly config: Pick<GatewayConfig['admin'], 'host' | 'token'>;
  /** Absent: people sign in with the token. */
  readonly oidc?: OidcSignIn | undefined;
  readonly health: Health;
  /** What is wrong with Redis, without addresses. Absent: nothing is known of one. */
  readonly describeRedis?: () => string | undefined;
  readonly log: Log;
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly sessions: Sessions;
  /** Absent: no directory provisions people. */
  readonly directory?: Directory | undefined;
  readonly scim?: Pick<ScimParts, 'token' | 'users' | 'groups' | 'people'> | undefined;
  readonly audit: Pick<AuditLog, 'record'>;
  /** Adds calls and pages, each under the name of the core or plugin that owns it. */
  readonly fill: (routerOf: (owner: string) => AdminRouter) => void;
}

/** Names a Redis that cannot be used. The gateway is ready nevertheless: it counts limits by itself. */
const createRedisNote =
  (describeRedis: () => string | undefined): Middleware =>
  async (context, next) => {
    await next();
    const redis = context.path === '/readyz' ? describeRedis() : undefined;
    if (redis !== undefined) context.body = { ...(context.body as object), redis };
  };

/** Admin responses describe the current state, so they are never cached. */
const setHeaders: Middleware = (context, next) => {
  context.set('cache-control', 'no-store');
  return next();
};

/** Adds the calls that list all other calls, pages and panels. */
const addOwnCalls = ({ routerOf, pages, panels, calls }: AdminRoutes, hasLogin: boolean): void => {
  const router = routerOf('the core');
  const listPages = ({ actor: { name, role } }: AdminRequest): AdminReply => {
    const open = pages.filter((page) => covers(role, page.role));
    const listed = open.map(({ path, title, owner }) => ({ path, title, owner }));
    const shown = panels.filter((panel) => covers(role, panel.role));
    return {
      body: {
        login: hasLogin,
        actor: { name, role },
        pages: listed,
        panels: shown.map(({ path, title, owner, page }) => ({ path, title, owner, page })),
      },
    };
  };
  router.get('/admin/pages', listPages, {
    summary: 'The pages and panels that the caller may open, whether people need a login, and who the caller is.',
    role: 'developer',
    answer: objectOf({
      login: { type: 'boolean' },
      actor: objectOf({ name: text, role: { enum: roles } }),
      pages: listOf(objectOf({ path: text, title: text, owner: text })),
      panels: listOf(objectOf({ path: text, title: text, owner: text, page: text })),
    }),
  });
  router.get('/admin/openapi.json', () => ({ body: describeApi(calls, hasLogin) }), {
    summary: 'This description of the API, as OpenAPI 3.1.',
    answer: { type: 'object' },
  });
};

/**
 * The admin listener: health, then the access check, then the calls and pages of the core and of plugins.
 * @throws GatewayError `KOINE_EXTENSION_DUPLICATE` if two of them have the same path
 */
export function createAdminApp({
  config: { host, token },
  oidc,
  health,
  describeRedis = () => undefined,
  log,
  clock,
  sessions,
  directory,
  scim,
  audit,
  fill,
}: AdminParts): RequestListener {
  const record = createRecordCall(log, clock, audit);
  const routes = new AdminRoutes(log, record);
  fill(routes.routerOf);
  const tokenCheck = token === undefined ? undefined : createTokenCheck(token, clock);
  const renewal =
    oidc?.config.refresh === undefined ? undefined : new RoleRenewal({ signIn: oidc, sessions, directory, clock, log });
  const access: AdminAccess = { host, tokenCheck, oidc, sessions, renewal, directory };
  addOwnCalls(routes, requiresLogin(access));
  const app = createKoa(log);
  app
    .use(
      createErrorBoundary(
        log,
        'GET /admin/openapi.json lists all calls. A plugin adds its calls while gateway.yaml has it under plugins.',
      ),
    )
    .use(createRedisNote(describeRedis))
    .use(health.middleware)
    .use(compressText)
    .use(setHeaders);
  if (scim !== undefined) app.use(createScim({ ...scim, sessions, log, clock, record }));
  app
    .use(createLogin(access, log, record))
    .use(createAccessCheck(access, log))
    .use(routes.middleware)
    .use(routes.allowedMethods);
  return app.callback();
}
