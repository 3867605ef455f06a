import type { Context, Middleware } from 'koa';
import type { RequestHead, RouteInfo } from '../../contracts/exchange.ts';
import type { Clock } from '../../contracts/services.ts';
import type { OnEnded } from '../../exchange/settle.ts';
import { resultOfStatus } from '../../outcome/results.ts';
import type { GatewayResponse } from './gateway-response.ts';

/** The route of unknown paths, which must not become labels of metrics. */
const nowhere: RouteInfo = { path: 'other', operation: 'other', wire: 'other' };

const isExchange = ({ route: { operation } }: RequestHead): boolean =>
  operation !== 'models' && operation !== 'endpoint' && operation !== 'other';

/**
 * Calls the `ended` hooks for requests that are not exchanges: models lists, endpoints of plugins, refusals by
 * middleware, unknown paths. Exchanges call the hooks themselves.
 */
export const watchEnds =
  (ended: OnEnded, clock: Clock, readHead: (context: Context, route: RouteInfo) => RequestHead): Middleware =>
  async (context: Context, next) => {
    const startedAt = clock.monotonic();
    await next();
    const head = (context.res as GatewayResponse).head ?? { ...readHead(context, nowhere), startedAt };
    if (isExchange(head)) return;
    const total = clock.monotonic() - startedAt;
    const { status } = context;
    const times = { total, own: total };
    const spent = { charges: [], usage: undefined, cost: undefined };
    ended({ head, outcome: { result: resultOfStatus(status), status, ...spent, attempts: [], times } });
  };
