import type { Context, Middleware } from 'koa';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Framing } from '../../contracts/framing.ts';
import type { RequestHead, RouteInfo } from '../../contracts/exchange.ts';
import type { StoredOperation, StoredPath } from '../../canonical/wire.ts';
import type { StoredClient } from '../../dispatch/stored-client.ts';
import type { ExchangeRoute } from '../../exchange/exchange-state.ts';
import type { BackgroundResponses } from '../../exchange/background/background.ts';
import type { OpenResponse } from '../../exchange/background/packed-exchange.ts';
import { endingOf, lostEnding } from '../../exchange/background/read-end.ts';
import { streamHeaders } from '../../exchange/response-headers.ts';
import { findStored, noResponse } from '../../exchange/request/stored-objects.ts';
import { parseJson } from '../../framing/json.ts';
import { MAX_FRAME_BYTES } from '../../lanes/feed.ts';
import { collectBody } from '../../lanes/upstream/collect.ts';
import type { StateLocation } from '../../services/vendor-state/records.ts';
import type { VendorState } from '../../services/vendor-state/vendor-state.ts';
import type { DirectParts } from '../direct/direct-request.ts';
import { admitDirect } from '../direct/admit-direct.ts';
import { StoredBody, type Watch } from './stored-body.ts';

export interface StoredParts extends DirectParts {
  readonly vendorState: VendorState;
  readonly stored: StoredClient;
  readonly background: BackgroundResponses;
  /** Of streams. */
  readonly framing: Framing | undefined;
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

/** Settles a background response by the events that its client gets. */
const createWatch = (background: BackgroundResponses, open: OpenResponse, framing: Framing): Watch | undefined => {
  const tap = background.tap(open);
  if (tap === undefined) return undefined;
  const decoder = framing.decoder({ frameBytes: MAX_FRAME_BYTES });
  return (chunk) => {
    let settling: Promise<void> | undefined;
    decoder.push(chunk, (frame) => {
      if (settling !== undefined || (frame.data === '' && frame.event === undefined)) return;
      const verdict = tap.inspectFrame(frame);
      const isWhole = verdict === 'end' && tap.observed.finish?.unfinished !== true;
      if (isWhole) settling = background.settle(open, endingOf(tap.observed, false));
      // Either the stream has failed or the response: the vendor knows.
      else if (verdict === 'error' || verdict === 'end') settling = background.poll(open);
    });
    return settling;
  };
};

/** The client's project owns the response, by the records of objects at vendors or of background responses. */
async function findLocation(
  { vendorState, background }: StoredParts,
  caller: Caller,
  id: string,
  { vendorState: policy }: ExchangeRoute,
): Promise<StateLocation> {
  const policies = [policy, caller.vendorState];
  const place = await findStored(vendorState, caller, id, policies);
  const kept = place ?? (policies.includes('refuse') ? undefined : await background.findLocation(caller, id));
  if (kept === undefined) throw noResponse();
  return kept;
}

/**
 * Passes a call with the id of a stored response on to the credential that created it, if the project of the caller
 * owns it. The response comes back as the vendor wrote it. A background response that has ended is settled first.
 */
export const createStoredHandler = (parts: StoredParts, called: StoredRoute): Middleware => {
  const { operation, info, route, method, suffix } = called;
  const { background, framing } = parts;
  const client = omitUndefined({ encodeError: route.client.encodeError, encodeLimits: route.client.encodeLimits });
  return async (context) => {
    const head = parts.head(context, info);
    const caller = await admitDirect(parts, context, head, client);
    const { id = '' } = context.params as { readonly id?: string };
    const place = await findLocation(parts, caller, id, route);
    const open = operation === 'input-items' ? undefined : await background.find(id);
    if (operation === 'delete' && open !== undefined) await background.poll(open);
    const query = readQuery(context.req.url ?? '');
    const call = { method, path: `/${encodeURIComponent(id)}${suffix}`, query: query.toString() };
    const reply = await parts.stored.send(place, route.wire, call, head.signal);
    context.status = reply.status;
    context.set('content-type', reply.contentType);
    context.set('x-koine-provider', place.provider);
    if (operation === 'retrieve' && query.get('stream') === 'true') {
      context.set({ ...streamHeaders });
      context.body = new StoredBody(reply, open && framing && createWatch(background, open, framing));
      return;
    }
    const body = await collectBody(reply);
    if (open !== undefined)
      await (operation === 'delete'
        ? background.settle(open, lostEnding)
        : background.observe(open, parseJson(body.toString('utf8'))));
    context.body = body;
  };
};
