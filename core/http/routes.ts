import type { Router as KoaRouter } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { RouteConfig } from '../config/gateway-config.ts';
import type { Operation, WireName, StoredOperation } from '../canonical/wire.ts';
import type { Codec } from '../contracts/codec.ts';
import type { RouteInfo } from '../contracts/exchange.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { ExchangeRoute } from '../exchange/exchange-state.ts';
import { createRouter } from './koa-router.ts';
import type { StoredRoute } from './stored/stored.ts';

/** Serves one request as an exchange. */
export type Serve = (
  req: IncomingMessage,
  res: ServerResponse,
  info: RouteInfo,
  route: ExchangeRoute,
  pathModel?: string,
) => Promise<void>;

export interface RouteParts {
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  readonly serve: Serve;
  readonly models: (route: RouteInfo) => Middleware;
  readonly stored: (route: StoredRoute) => Middleware;
}

/** A route of the configuration. */
export interface FoundRoute {
  readonly info: RouteInfo;
  /** Undefined if its requests are not exchanges. */
  readonly route?: ExchangeRoute;
}

/** A route of the configuration whose requests are exchanges. */
interface Exchanges extends FoundRoute {
  readonly route: ExchangeRoute;
}

/**
 * What `{model}` also matches in `/v1/{model}:generateContent`, but is the rest of another path: a doubled base path,
 * or a path that is not normalized.
 */
const OTHER_PATH = /^(?:\/|\.{1,2}\/|models\/|v1(?:beta)?\/)/;

/** `{model}` matches a catalog id, which can contain slashes. All other characters are literal. */
const compilePath = (path: string): string =>
  path.replaceAll(/\{model\}|[:*?+(){}[\]!\\]/g, (found) => (found === '{model}' ? '*model' : `\\${found}`));

/**
 * The path. If a method follows the model after a colon, also its form with an encoded colon, which some clients send.
 */
const compilePaths = (path: string): string[] => {
  const encoded = path.replace(/(?<=\{model\}):/, '%3A');
  return encoded === path ? [compilePath(path)] : [compilePath(path), compilePath(encoded)];
};

const createExchanges = (config: RouteConfig, operation: Operation, { codec }: RouteParts): Exchanges => {
  const { path, wire, stream, versions, losses, vendorState, costHeaders, hostedTools, bodyLimit } = config;
  const { client, traits = {} } = codec(operation, wire) ?? {};
  if (client === undefined) {
    const message = `The route ${path} has the wire ${wire}, which no loaded provider offers to clients.`;
    throw new GatewayError('KOINE_CONFIG_INVALID', message);
  }
  const route: ExchangeRoute = omitUndefined({
    operation,
    wire,
    traits,
    client,
    stream,
    versions,
    losses,
    vendorState,
    costHeaders,
    hostedTools,
    bodyLimit,
  });
  return { info: { path, operation, wire }, route };
};

/** The calls of a route with the id of a stored response. */
const listStored = ({ info, route }: Exchanges): readonly StoredRoute[] =>
  Object.entries(route.client.stored ?? {}).map(([name, { method, suffix }]): StoredRoute => {
    const operation = name as StoredOperation;
    const path = `${info.path}/{id}${suffix}`;
    return { operation, method, suffix, below: info.path, info: { path, operation, wire: info.wire }, route };
  });

const addExchanges = (router: KoaRouter, { info, route }: Exchanges, { serve }: RouteParts): void => {
  const { path } = info;
  const isShort = !path.includes('models/{model}');
  router.post(compilePaths(path), async (context: Context, next) => {
    const { model } = context.params as { model?: string };
    if (isShort && model !== undefined && OTHER_PATH.test(model)) return next();
    context.respond = false;
    await serve(context.req, context.res, info, route, model);
    // It ends in an immediate. When `next()` returns to a middleware, the response has been sent.
    if (!context.res.writableEnded) await setImmediate();
  });
};

export interface Routes {
  /** All routes, for Koa. */
  readonly router: KoaRouter;
  /**
   * Serves a POST whose path is exactly that of an exchange, like the router but without its cost.
   * @returns undefined if the router has to find the route
   */
  serve(req: IncomingMessage, res: ServerResponse): Promise<void> | undefined;
  /** The route that Koa's router would take. */
  find(method: string, path: string): FoundRoute | undefined;
}

/** Creates a handler per route of the configuration: GET for `models`, from the catalog, and POST for exchanges. */
export function createRoutes(routes: readonly RouteConfig[], parts: RouteParts): Routes {
  const router = createRouter();
  const byPath = new Map<string, Exchanges>();
  const byLayer = new Map<unknown, FoundRoute>();
  /** After all routes of the configuration, which have their own paths below each other. */
  const stored: StoredRoute[] = [];
  for (const config of routes) {
    const { path, wire, operation } = config;
    const layers = router.stack.length;
    let found: FoundRoute;
    if (operation === 'models') {
      found = { info: { path, operation, wire } };
      router.get(compilePaths(path), parts.models(found.info));
    } else {
      const exchanges = createExchanges(config, operation, parts);
      addExchanges(router, exchanges, parts);
      // The router takes the first of two routes of one path.
      if (!byPath.has(path)) byPath.set(path, exchanges);
      found = exchanges;
      stored.push(...listStored(exchanges));
    }
    for (const layer of router.stack.slice(layers)) byLayer.set(layer, found);
  }
  for (const call of stored) {
    const layers = router.stack.length;
    const { info, method, suffix, below, route } = call;
    router.register(`${compilePath(below)}/:id${suffix}`, [method], parts.stored(call));
    for (const layer of router.stack.slice(layers)) byLayer.set(layer, { info, route });
  }
  return {
    router,
    serve: (req, res) => {
      if (req.method !== 'POST') return undefined;
      const { url = '' } = req;
      const mark = url.indexOf('?');
      const found = byPath.get(mark === -1 ? url : url.slice(0, mark));
      return found === undefined ? undefined : parts.serve(req, res, found.info, found.route);
    },
    find: (method, path) => byLayer.get(router.match(path, method).pathAndMethod[0]),
  };
}
