import type { Context, Middleware } from 'koa';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { RequestHead, RouteInfo } from '../../contracts/exchange.ts';
import type { StoredOperation, StoredPath } from '../../contracts/upstream.ts';
import type { StoredClient } from '../../dispatch/stored-client.ts';
import type { ExchangeRoute } from '../../exchange/exchange-state.ts';
import { findStored } from '../../exchange/request/stored-objects.ts';
import { collectBody } from '../../lanes/upstream/collect.ts';
import type { VendorState } from '../../services/vendor-state/vendor-state.ts';
import type { DirectParts } from '../direct/direct-request.ts';
import { admitDirect } from '../direct/admit-direct.ts';
import { StoredBody } from './stored-body.ts';

export interface StoredParts extends DirectParts {
  readonly vendorState: VendorState;
  readonly stored: StoredClient;
  readonly head: (context: Context, route: RouteInfo) => RequestHead;
}

/** A call of a route with the id of a stored response. */
export interface StoredRoute extends StoredPath {
  readonly operation: StoredOperation;
  readonly info: RouteInfo;
  /** The route that creates such responses, and its path. */
  readonly route: ExchangeRoute;
  readonly below: string;
}

/** The query without the key that it can contain. A name can occur several times: `include[]`. */
const readQuery = (url: string): URLSearchParams => {
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  query.delete('key');
  return query;
};

/**
 * Passes a call with the id of a stored response on to the credential that created it, if the project of the caller
 * owns it. The response comes back as the vendor wrote it.
 */
export const createStoredHandler = (parts: StoredParts, called: StoredRoute): Middleware => {
  const { operation, info, route, method, suffix } = called;
  const client = omitUndefined({ encodeError: route.client.encodeError, encodeLimits: route.client.encodeLimits });
  return async (context) => {
    const head = parts.head(context, info);
    const caller = await admitDirect(parts, context, head, client);
    const { id = '' } = context.params as { readonly id?: string };
    const place = await findStored(parts.vendorState, caller, id, [route.vendorState, caller.vendorState]);
    const query = readQuery(context.req.url ?? '');
    const path = `/${encodeURIComponent(id)}${suffix}`;
    const call = { method, path, query: query.toString() };
    const reply = await parts.stored.send(place, route.wire, call, head.signal);
    const isStream = operation === 'retrieve' && query.get('stream') === 'true';
    const body = isStream ? new StoredBody(reply) : await collectBody(reply);
    context.status = reply.status;
    context.set('content-type', reply.contentType);
    context.set('x-koine-provider', place.provider);
    if (isStream) context.set({ 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' });
    context.body = body;
  };
};
