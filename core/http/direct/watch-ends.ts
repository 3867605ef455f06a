import type { Context, Middleware } from 'koa';
import type { RequestHead, RouteInfo } from '../../contracts/exchange.ts';
import { DirectRequest, settleDirect, type DirectParts } from './direct-request.ts';
import { idHeaders } from '../../exchange/response-headers.ts';
import type { Routes } from '../routes.ts';
import type { GatewayResponse } from '../response/gateway-response.ts';

/** The route of unknown paths, which must not become labels of metrics. */
const nowhere: RouteInfo = { path: 'other', operation: 'other', wire: 'other' };

/** The route that a request was for, if a middleware has answered it before the router. */
const findRoute = (
  context: Pick<Context, 'method' | 'path'> & { readonly matched?: unknown },
  find: Routes['find'],
): RouteInfo => (context.matched === undefined ? find(context.method, context.path)?.info : undefined) ?? nowhere;

/**
 * Settles, logs and counts every request that is not an exchange: models lists, endpoints of plugins, what middleware
 * answers, unknown paths. Exchanges do this themselves. The response does not wait for it.
 */
export const watchEnds =
  (
    parts: DirectParts,
    find: Routes['find'],
    readHead: (context: Context, route: RouteInfo) => RequestHead,
  ): Middleware =>
  async (context: Context, next) => {
    const response = context.res as GatewayResponse;
    const request = new DirectRequest(parts.clock.monotonic());
    response.direct = request;
    let settling: Promise<void> | undefined;
    parts.refCount?.enter();
    try {
      await next();
      if (context.respond === false) return;
      const head = response.head ?? readHead(context, findRoute(context, find));
      if (!context.headerSent) context.set(idHeaders(head));
      settling = settleDirect(parts, head, request, context.status);
    } finally {
      void Promise.resolve(settling).finally(() => parts.refCount?.leave());
    }
  };
