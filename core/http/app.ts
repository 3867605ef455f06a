import type { Context, Middleware } from 'koa';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import { DEFAULT_WIRE, type Operation, type WireName } from '../canonical/wire.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { AnyCodec, Codec } from '../contracts/codec.ts';
import type { Framing } from '../contracts/framing.ts';
import type { MiddlewareContext, RequestHead, RouteInfo } from '../contracts/exchange.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { Clock, Log } from '../contracts/services.ts';
import { toGatewayError, type GatewayError } from '../errors/gateway-error.ts';
import type { DirectParts } from './direct/direct-request.ts';
import type { RunExchange } from '../exchange/pipeline.ts';
import { createBodyPace } from './request/body-pace.ts';
import { createBodyReaders } from './upload/body-readers.ts';
import { createAddressReader, type ReadAddress } from './request/client-address.ts';
import { addEndpoints } from './endpoints.ts';
import { createErrorBoundary } from './error-boundary.ts';
import { GatewayResponse } from './response/gateway-response.ts';
import type { Health } from './health.ts';
import { HttpConnection } from './connection/http-connection.ts';
import { createKoa } from './koa.ts';
import { extendContext } from './middleware-context.ts';
import { createModelsHandler, selectModelListing } from './models.ts';
import { describePlainError, writeRouteError } from './response/plain-error.ts';
import { createRequestHead } from './request/request-head.ts';
import { createRoutes, type Routes, type Serve } from './routes.ts';
import { createStoredHandler, type StoredParts } from './stored/stored.ts';
import { createSocketGate } from './socket/socket-gate.ts';
import type { AcceptSocket } from './socket/sockets.ts';
import { watchEnds } from './direct/watch-ends.ts';

export interface AppParts extends Pick<StoredParts, 'vendorState' | 'stored' | 'background'> {
  readonly config: Pick<GatewayConfig, 'server' | 'routes'>;
  readonly catalog: Catalog;
  readonly codecs: readonly AnyCodec[];
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  readonly direct: DirectParts;
  readonly run: RunExchange;
  readonly plugins: readonly PluginInstance[];
  readonly health: Health;
  readonly clock: Clock;
  readonly log: Log;
  framing(name: string): Framing | undefined;
}

type ReadHead = (context: Context, route: RouteInfo) => RequestHead;

const pluginMiddleware = (plugins: readonly PluginInstance[]): readonly Middleware[] =>
  plugins.flatMap(({ middleware }) =>
    middleware === undefined
      ? []
      : [(context: Context, next: () => Promise<void>) => middleware(context as Context & MiddlewareContext, next)],
  );

/** `GET /`, which a browser opens, says what listens here. */
const describeGateway: Middleware = async (context, next) => {
  if (context.path !== '/' || (context.method !== 'GET' && context.method !== 'HEAD')) return next();
  context.body = {
    name: 'Koine',
    message:
      'A gateway in front of language models. Clients send requests to /v1 with a key of the gateway; GET /v1/models ' +
      'lists its models. The dashboard and the admin API are on the admin listener.',
    documentation: 'docs/README.md in the source of koine-gateway',
  };
};

/** The Koa application: health, then the middleware of plugins, then the routes. */
const createKoaListener = (
  parts: AppParts,
  routes: Routes,
  head: ReadHead,
  readAddress: ReadAddress,
): RequestListener => {
  const { config, codec, plugins, direct, health, clock, log } = parts;
  const { router } = routes;
  const routed = new Set(config.routes.filter(({ operation }) => operation === 'models').map(({ path }) => path));
  const { encodeLimits } = codec('generate', DEFAULT_WIRE)?.client ?? {};
  const client = omitUndefined({ encodeLimits });
  addEndpoints(router, { ...direct, plugins, routed, client, head });
  const app = createKoa(log);
  extendContext(app.context, { find: routes.find, readAddress, clock });
  app.use(health.middleware).use(watchEnds(direct, routes.find, head));
  const hint = 'The gateway serves the routes of gateway.yaml and the endpoints of its plugins.';
  const writeError = (context: Context, error: GatewayError): void => {
    const request = (context.res as GatewayResponse).direct;
    if (request !== undefined) request.error = error;
    writeRouteError(context, error, request?.client ?? routes.find(context.method, context.path)?.route?.client);
  };
  app.use(createErrorBoundary(log, hint, writeError));
  for (const middleware of pluginMiddleware(plugins)) app.use(middleware);
  app.use(router.routes()).use(router.allowedMethods()).use(describeGateway);
  return app.callback();
};

/** The pipeline responds to its own failures. This handles the rest, such as an error that a codec cannot encode. */
const fail = (res: ServerResponse, error: GatewayError, log: Log): void => {
  log.error({ error: error.cause ?? error }, 'the pipeline failed to send a response');
  if (res.headersSent) res.destroy();
  else res.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(describePlainError(error)));
};

export interface DataApp {
  readonly listener: RequestListener;
  readonly acceptSocket: AcceptSocket;
}

/**
 * The data listener. Exchanges bypass Koa, whose layers cost more than the exchange itself, unless a plugin has
 * middleware: core/decisions/2026-11-22-one-pipeline.md.
 */
export function createDataApp(parts: AppParts): DataApp {
  const { config, catalog, codecs, codec, direct, run, plugins, clock, log, vendorState, stored, background, framing } =
    parts;
  const { server } = config;
  const readAddress = createAddressReader(server.trustProxy);
  const pace = createBodyPace(server.bodyRate, clock.monotonic);
  const readersOf = createBodyReaders(server.bodyLimit, pace);
  const select = selectModelListing(codecs);
  const head: ReadHead = ({ req, res }, route) =>
    createRequestHead(req, res as GatewayResponse, route, clock, readAddress);
  const serve: Serve = async (req, res, info, route, pathModel) => {
    try {
      const requestHead = createRequestHead(req, res as GatewayResponse, info, clock, readAddress);
      await run(requestHead, route, new HttpConnection(req, res, readersOf(route.bodyLimit)), pathModel);
    } catch (thrown) {
      fail(res, toGatewayError(thrown), log);
    }
  };
  const routes = createRoutes(config.routes, {
    codec,
    serve,
    stored: (call) =>
      createStoredHandler({ ...direct, vendorState, stored, background, framing: framing('sse'), head }, call),
    models: (route) => createModelsHandler({ ...direct, catalog, select, head: (context) => head(context, route) }),
  });
  const koa = createKoaListener(parts, routes, head, readAddress);
  const listener: RequestListener = plugins.some(({ middleware }) => middleware !== undefined)
    ? koa
    : (req, res) => {
        if (routes.serve(req, res) === undefined) koa(req, res);
      };
  const createHead = (req: IncomingMessage, info: RouteInfo): RequestHead =>
    createRequestHead(req, new GatewayResponse(req), info, clock, readAddress);
  return { listener, acceptSocket: createSocketGate({ direct, find: routes.find, createHead }) };
}
