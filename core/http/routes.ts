import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { RouteConfig } from '../config/gateway-config.ts';
import type { Operation, WireName } from '../canonical/wire.ts';
import type { Codec } from '../contracts/codec.ts';
import type { RequestHead, RouteInfo } from '../contracts/exchange.ts';
import { GatewayError } from '../errors.ts';
import type { Door } from '../exchange/door.ts';
import type { ExchangeRoute } from '../exchange/progress.ts';
import type { RunExchange } from '../exchange/run.ts';

/** `{model}` stands for a catalog id with its slashes; every other character of a path stands for itself. */
const compilePath = (path: string): string => path.replaceAll(/\{model\}|[:*?+(){}[\]!\\]/g, (found) => (found === '{model}' ? '*model' : `\\${found}`));

/** The path, and, where a method follows the model behind a colon, its form from a client that encodes the whole segment. */
const compilePaths = (path: string): string[] => {
  const encoded = path.replace(/(?<=\{model\}):/, '%3A');
  return encoded === path ? [compilePath(path)] : [compilePath(path), compilePath(encoded)];
};

export interface RouteParts {
  codec<O extends Operation>(operation: O, wire: WireName): Codec<O> | undefined;
  readonly run: RunExchange;
  readonly head: (context: Context, route: RouteInfo) => RequestHead;
  readonly door: (context: Context) => Door;
  readonly models: (route: RouteInfo) => Middleware;
}

const modelIn = (context: Context): { readonly model?: string } => {
  const { model } = context.params as { readonly model?: string };
  return model === undefined ? {} : { model };
};

const createExchangeHandler = (config: RouteConfig, operation: Operation, parts: RouteParts): Middleware => {
  const client = parts.codec(operation, config.wire)?.client;
  if (client === undefined) throw new GatewayError('KOINE_CONFIG_INVALID', `The route ${config.path} names the wire ${config.wire}, which no provider brings for clients.`);
  const info: RouteInfo = { path: config.path, operation, wire: config.wire };
  const fixed: ExchangeRoute = {
    operation,
    wire: config.wire,
    client,
    ...(config.stream === undefined ? {} : { stream: config.stream }),
    ...(config.versions === undefined ? {} : { versions: config.versions }),
    ...(config.losses === undefined ? {} : { losses: config.losses }),
    ...(config.vendorState === undefined ? {} : { vendorState: config.vendorState }),
  };
  return (context) => parts.run(parts.head(context, info), { ...fixed, ...modelIn(context) }, parts.door(context));
};

/** One handler per route of the configuration: `models` answers GET from the catalog, everything else is an exchange by POST. */
export const createRouter = (routes: readonly RouteConfig[], parts: RouteParts): Router => {
  const router = new Router();
  for (const config of routes) {
    const paths = compilePaths(config.path);
    if (config.operation === 'models') router.get(paths, parts.models({ path: config.path, operation: 'models', wire: config.wire }));
    else router.post(paths, createExchangeHandler(config, config.operation, parts));
  }
  return router;
};
