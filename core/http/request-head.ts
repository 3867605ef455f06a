import type { Context } from 'koa';
import type { RequestHead, RouteInfo } from '../contracts/exchange.ts';
import type { Headers } from '../canonical/wire.ts';
import type { Clock } from '../contracts/services.ts';
import { newOrderedId } from '../lanes/new-id.ts';
import type { ReadAddress } from './client-address.ts';
import { departureOf } from './departures.ts';
import { tieAnswer } from './open-answers.ts';

/** Ours by name: whatever a client puts there would be believed further in. */
const isInternal = (name: string): boolean => name.startsWith('x-koine-');

export const readHeaders = (context: Context): Headers => {
  const headers: Record<string, string> = {};
  const received = context.req.headers;
  for (const name in received) {
    const value = received[name];
    if (value !== undefined && !isInternal(name)) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
};

export const readQuery = (context: Context): Readonly<Record<string, string>> =>
  context.querystring === '' ? {} : Object.fromEntries(new URLSearchParams(context.querystring));

/**
 * Aborts when the client leaves before its answer is complete, and when the gateway ends it. Only the response knows: a request "closes" as soon as
 * its body is read.
 */
const tieSignal = ({ req, res }: Context): AbortSignal => {
  const controller = new AbortController();
  tieAnswer(res, controller);
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(departureOf(req.socket));
  });
  return controller.signal;
};

const heads = new WeakMap<object, RequestHead>();

/** The head of a request that was routed; undefined where no route is there for it, or something before the routes answered. */
export const headOf = (context: Context): RequestHead | undefined => heads.get(context.res);

const readHead = (context: Context, route: RouteInfo, clock: Clock, readAddress: ReadAddress): RequestHead => ({
  id: newOrderedId('req_', clock.now()),
  route,
  method: context.method,
  path: context.path,
  headers: readHeaders(context),
  query: readQuery(context),
  address: readAddress(context.req),
  startedAt: clock.monotonic(),
  signal: tieSignal(context),
});

/** What is known of a request before its body is read. */
export const createRequestHead = (context: Context, route: RouteInfo, clock: Clock, readAddress: ReadAddress): RequestHead => {
  const head = readHead(context, route, clock, readAddress);
  heads.set(context.res, head);
  return head;
};
