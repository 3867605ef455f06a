import type { Context, Middleware } from 'koa';
import type { RequestListener } from 'node:http';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { AnyCodec, Codec } from '../contracts/codec.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import type { Clock, Log } from '../contracts/services.ts';
import type { TellEnded } from '../exchange/ended.ts';
import type { Identify } from '../exchange/identify.ts';
import type { RunExchange } from '../exchange/run.ts';
import { createBodyPace } from './body-pace.ts';
import { createBodyReader } from './body.ts';
import { createAddressReader } from './client-address.ts';
import { createDoor } from './door.ts';
import { addEndpoints } from './endpoints.ts';
import { createErrorBoundary } from './error-boundary.ts';
import type { Health } from './health.ts';
import { createKoa } from './koa.ts';
import { createModelsHandler, selectModelListing } from './models.ts';
import { createRequestHead } from './request-head.ts';
import { createRouter } from './routes.ts';
import { watchEnds } from './watch-ends.ts';

export interface AppParts {
  readonly config: Pick<GatewayConfig, 'server' | 'routes'>;
  readonly catalog: Catalog;
  readonly codecs: readonly AnyCodec[];
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  readonly identify: Identify;
  readonly run: RunExchange;
  readonly ended: TellEnded;
  readonly plugins: readonly PluginInstance[];
  readonly health: Health;
  readonly clock: Clock;
  readonly log: Log;
}

const pluginMiddleware = (plugins: readonly PluginInstance[]): readonly Middleware[] =>
  plugins.flatMap(({ middleware }) => (middleware === undefined ? [] : [(context: Context, next: () => Promise<void>) => middleware(context, next)]));

/** The data listener: health, then the plugins' middleware, then the routes. */
export const createDataApp = ({ config, catalog, codecs, codec, identify, run, ended, plugins, health, clock, log }: AppParts): RequestListener => {
  const app = createKoa(log);
  const readAddress = createAddressReader(config.server.trustProxy);
  const readBody = createBodyReader({ limit: config.server.bodyLimit, origin: ' (server.bodyLimit)', pace: createBodyPace(config.server.bodyRate, clock.monotonic) });
  const select = selectModelListing(codecs);
  const router = createRouter(config.routes, {
    codec,
    run,
    head: (context, route) => createRequestHead(context, route, clock, readAddress),
    door: (context) => createDoor(context, readBody),
    models: (route) => createModelsHandler({ catalog, identify, select, head: (context) => createRequestHead(context, route, clock, readAddress) }),
  });
  const routed = new Set(config.routes.filter(({ operation }) => operation === 'models').map(({ path }) => path));
  addEndpoints(router, { plugins, routed, identify, head: (context, route) => createRequestHead(context, route, clock, readAddress) });
  app.use(health.middleware).use(watchEnds(ended, clock, readAddress)).use(createErrorBoundary(log, 'What gateway.yaml names under routes is served, and what its plugins bring.'));
  for (const middleware of pluginMiddleware(plugins)) app.use(middleware);
  app.use(router.routes()).use(router.allowedMethods());
  return app.callback();
};
