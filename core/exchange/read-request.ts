import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import { weighBody } from '../canonical/text/text-weight.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Caller } from '../contracts/caller.ts';
import type { InboundRequest } from '../contracts/codec-context.ts';
import type { Exchange } from '../contracts/exchange.ts';
import { withoutKey } from './authenticate.ts';
import { checkDestinations } from './request/destination-members.ts';
import { estimateTokens } from './request/estimate.ts';
import type { ExchangeState } from './exchange-state.ts';
import { checkNestedJson } from './request/nested-json.ts';
import { createInbound } from './request/receive.ts';
import { checkRequestBounds } from './request/request-bounds.ts';
import { selectModel } from './select.ts';
import { checkReferences } from './request/vendor-references.ts';

/** From the least to the most strict. */
const policies: readonly LossPolicy[] = ['allow', 'warn', 'reject'];

const stricterPolicy = (ofRoute: LossPolicy = 'allow', ofKey: LossPolicy = 'allow'): LossPolicy =>
  policies.indexOf(ofRoute) > policies.indexOf(ofKey) ? ofRoute : ofKey;

/**
 * Parses the body and makes the checks that are the same for every codec.
 * @throws GatewayError 400, 413
 */
export function parseRequest(state: ExchangeState, raw: Uint8Array): InboundRequest {
  const { head, route, pathModel } = state;
  const { client, stream, versions } = route;
  state.received = raw.byteLength;
  return createInbound(
    raw,
    omitUndefined({ headers: head.headers, query: withoutKey(head.query), model: pathModel, stream, versions }),
    client.spelling,
  );
}

/**
 * Decodes a request from the client's wire, selects the model and its targets, and estimates the tokens.
 * @throws GatewayError 400, 404, 413
 */
export function readRequest(catalog: Catalog, state: ExchangeState, caller: Caller, inbound: InboundRequest): Exchange {
  const { head, route } = state;
  const { operation, wire, traits, client } = route;
  const { raw } = inbound;
  const { model: name, request, framing = 'sse', declaredCap } = client.decodeRequest(inbound);
  state.requested = name;
  if ('tools' in request) {
    checkRequestBounds(request, traits, raw.byteLength);
    checkNestedJson(request, raw.byteLength);
  }
  const model = selectModel(catalog, name, caller, wire);
  checkReferences(inbound.body, client.references, [route.vendorState, caller.vendorState]);
  checkDestinations(inbound.body, model);
  // The route's codec decodes requests of this operation only; the compiler cannot see it.
  return {
    ...head,
    operation,
    caller,
    inbound,
    model: model.id,
    request,
    framing,
    targets: model.targets,
    estimate: estimateTokens(operation, weighBody(raw), request, { declaredCap, maxOutput: model.maxOutput }),
    losses: stricterPolicy(route.losses, caller.losses),
    attempts: state.attempts,
  } as Exchange;
}
