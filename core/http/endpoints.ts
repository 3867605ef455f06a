import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { DEFAULT_WIRE } from '../canonical/wire.ts';
import type { RequestHead, RouteInfo } from '../contracts/exchange.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { withoutKey } from '../exchange/authenticate.ts';
import type { DirectClient, DirectParts } from './direct/direct-request.ts';
import { admitDirect } from './direct/admit-direct.ts';
import { writeReply } from './response/write-reply.ts';

export interface EndpointParts extends DirectParts {
  readonly plugins: readonly PluginInstance[];
  /** The GET paths that the configuration routes already. */
  readonly routed: ReadonlySet<string>;
  /** Writes the headers of limits. */
  readonly client: Pick<DirectClient, 'encodeLimits'>;
  readonly head: (context: Context, route: RouteInfo) => RequestHead;
}

/**
 * Adds the endpoints of plugins to the router. The caller is identified, and the request counted, before the plugin is
 * called. Errors have the shape of the chat-completions wire.
 * @throws GatewayError `KOINE_EXTENSION_DUPLICATE` if a route or another plugin has the path
 */
export function addEndpoints(router: Router, parts: EndpointParts): void {
  const { plugins, routed, client, head: readHead } = parts;
  const taken = new Set(routed);
  for (const plugin of plugins) {
    plugin.endpoints?.({
      get: (path, answer) => {
        if (taken.has(path))
          throw new GatewayError(
            'KOINE_EXTENSION_DUPLICATE',
            `A plugin adds GET ${path}, which a route or another plugin has already.`,
          );
        taken.add(path);
        const route: RouteInfo = { path, operation: 'endpoint', wire: DEFAULT_WIRE };
        router.get(path, async (context: Context) => {
          const head = readHead(context, route);
          const caller = await admitDirect(parts, context, head, client);
          writeReply(context, await answer({ caller, query: withoutKey(head.query), headers: head.headers }));
        });
      },
    });
  }
}
