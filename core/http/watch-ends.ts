import type { Context, Middleware } from 'koa';
import type { Outcome, RequestHead, RouteInfo } from '../contracts/exchange.ts';
import type { Clock } from '../contracts/services.ts';
import type { TellEnded } from '../exchange/ended.ts';
import { createRequestHead, headOf } from './request-head.ts';
import type { ReadAddress } from './client-address.ts';

/** Nothing of a path that nobody serves may become a label. */
const nowhere: RouteInfo = { path: 'other', operation: 'other', wire: 'other' };

const resultOf = (status: number): Outcome['result'] => {
  if (status < 400) return 'ok';
  if (status === 401) return 'auth';
  if (status === 429) return 'rate_limited';
  return status < 500 ? 'client_error' : 'gateway_error';
};

const isExchange = ({ route: { operation } }: RequestHead): boolean => operation !== 'models' && operation !== 'endpoint' && operation !== 'other';

/** Tells of requests that end without an exchange: lists of models, calls of plugins, what a middleware refused, paths that nobody serves. Exchanges tell of themselves. */
export const watchEnds =
  (ended: TellEnded, clock: Clock, readAddress: ReadAddress): Middleware =>
  async (context: Context, next) => {
    const startedAt = clock.monotonic();
    await next();
    const head = headOf(context) ?? { ...createRequestHead(context, nowhere, clock, readAddress), startedAt };
    if (isExchange(head)) return;
    const total = clock.monotonic() - startedAt;
    const { status } = context;
    ended({ head, outcome: { result: resultOf(status), status, charges: [], usage: undefined, cost: undefined, attempts: [], times: { total, own: total } } });
  };
