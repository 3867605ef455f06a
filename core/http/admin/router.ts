import type { Context, Middleware } from 'koa';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { AdminHandler, AdminRouter, CallDescription } from '../../contracts/admin.ts';
import type { Log } from '../../contracts/services.ts';
import { GatewayError, invalidRequest, toGatewayError } from '../../errors/gateway-error.ts';
import { queryOf, readHeaders } from '../request/request-head.ts';
import { writeReply } from '../response/write-reply.ts';
import { readJson } from './body.ts';
import { readCaller } from './guard.ts';
import type { AdminCall } from './openapi.ts';
import { describePage, type AdminPage } from './pages.ts';
import { createRouter } from '../koa-router.ts';

/** `{name}` stands for one segment; every other character of a path stands for itself. */
const compilePath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}|[:*?+(){}[\]!\\]/g, (found, name?: string) =>
    name === undefined ? `\\${found}` : `:${name}`,
  );
/** Two paths that differ in the names of their parameters alone match the same requests. */
const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}').toLowerCase();

/** They stand before the guard, and whatever else had these paths would never be asked. */
const health: readonly (readonly [call: string, owner: string])[] = ['/livez', '/readyz', '/startupz'].map((path) => [
  `GET ${path}`,
  'the health of the core',
]);

/** A store that cannot be asked is no fault of whoever called, and the message of the database is for the log. */
const describeOutage = (error: GatewayError, log: Log): GatewayError => {
  if (error.code !== 'KOINE_STORE_FAILED') return error;
  log.error({ error }, 'the admin API could not ask the database');
  return new GatewayError(
    'service_unavailable',
    'The database cannot be asked at the moment; the log of the gateway says why.',
    { cause: error },
  );
};

export interface AdminRoutes {
  readonly middleware: Middleware;
  readonly allowedMethods: Middleware;
  /** Those that were added so far; the pages are among them. */
  readonly calls: readonly AdminCall[];
  readonly pages: readonly AdminPage[];
  /** Where one owner adds its calls. @throws GatewayError `KOINE_EXTENSION_DUPLICATE` where a path is taken */
  routerOf(owner: string): AdminRouter;
}

/**
 * The calls of the admin listener. Those that may change something leave an audit line, refused ones too: who, from
 * where, which call, what came of it, and what the call itself says. The path stands there as it was declared: one that
 * was sent may hold a secret by mistake.
 */
export function createAdminRoutes(log: Log): AdminRoutes {
  const router = createRouter();
  const owners = new Map(health);
  const calls: AdminCall[] = [];
  const pages: AdminPage[] = [];

  /** An empty value would choose only what has no name, which is nothing. */
  const readParameters = (
    context: Context,
    { query: known = {} }: CallDescription,
  ): Readonly<Record<string, string>> => {
    const query = queryOf(context.url);
    const empty = Object.keys(known).find((name) => query[name] === '');
    if (empty !== undefined)
      throw invalidRequest(empty, `${empty} is empty. Give it a value, or leave it out. ${known[empty] ?? ''}`);
    return query;
  };

  const ask = async (
    context: Context,
    answer: AdminHandler,
    call: string,
    description: CallDescription,
  ): Promise<void> => {
    const audit = (facts: object): void => {
      if (!call.startsWith('GET '))
        log.info({ who: readCaller(context), address: context.req.socket.remoteAddress, call, ...facts }, 'admin call');
    };
    try {
      const body = context.method === 'POST' ? await readJson(context) : undefined;
      const reply = await answer({
        params: { ...(context.params as Record<string, string>) },
        query: readParameters(context, description),
        headers: readHeaders(context.req.headers),
        body,
      });
      writeReply(context, reply);
      audit({ status: context.status, ...reply.audit });
    } catch (thrown) {
      const error = describeOutage(toGatewayError(thrown), log);
      audit({ status: error.status, code: error.code });
      throw error;
    }
  };

  const add = (
    method: 'get' | 'post' | 'delete',
    owner: string,
    path: string,
    answer: AdminHandler,
    description?: CallDescription,
  ): void => {
    const call = `${method.toUpperCase()} ${path}`;
    const shape = `${method.toUpperCase()} ${shapeOf(path)}`;
    const taken = owners.get(shape);
    if (taken !== undefined)
      throw new GatewayError(
        'KOINE_EXTENSION_DUPLICATE',
        `${owner} brings ${call} to the admin listener, which ${taken} brings already.`,
      );
    owners.set(shape, owner);
    calls.push(omitUndefined({ method, path, owner, description }));
    router[method](compilePath(path), (context: Context) => ask(context, answer, call, description ?? { summary: '' }));
  };

  return {
    middleware: router.routes() as Middleware,
    allowedMethods: router.allowedMethods() as Middleware,
    calls,
    pages,
    routerOf: (owner) => ({
      get: (path, answer, description) => add('get', owner, path, answer, description),
      post: (path, answer, description) => add('post', owner, path, answer, description),
      delete: (path, answer, description) => add('delete', owner, path, answer, description),
      page: (path, title, answer) => {
        add('get', owner, path, async (request) => describePage(await answer(request)), {
          summary: `A page for people: ${title}.`,
          type: 'text/html',
        });
        pages.push({ path, title, owner });
      },
    }),
  };
}
