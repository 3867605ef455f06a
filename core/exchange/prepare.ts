import type { LossPolicy } from '../canonical/loss.ts';
import { weighBody } from '../canonical/text-weight.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Exchange, RequestHead } from '../contracts/exchange.ts';
import type { Enter } from './admit.ts';
import { checkDestinations } from './destination-members.ts';
import type { Door } from './door.ts';
import { estimateTokens } from './estimate.ts';
import type { Identify } from './identify.ts';
import { checkNestedJson } from './nested-json.ts';
import type { Overload } from './overload.ts';
import type { ExchangeRoute, Progress } from './progress.ts';
import { createInbound } from './receive.ts';
import { checkRequestBounds } from './request-bounds.ts';
import { selectModel } from './select.ts';
import { checkReferences } from './vendor-references.ts';
import { withoutKey } from './without-key.ts';

export interface PrepareParts {
  readonly catalog: Catalog;
  readonly identify: Identify;
  readonly enter: Enter;
  readonly overload: Pick<Overload, 'hold'>;
}

/** From the mildest to the strictest. */
const policies: readonly LossPolicy[] = ['allow', 'warn', 'reject'];
const stricterPolicy = (...said: readonly (LossPolicy | undefined)[]): LossPolicy => policies.findLast((policy) => said.includes(policy)) ?? 'allow';

/**
 * The first phases: the caller and what plugins refuse it (from the head alone), the body, its meaning, the model and its targets, the estimate.
 * @throws GatewayError 401, 503 and what `enter` refuses before the body is read; 400, 404, 413, 415 after
 */
export const prepareExchange = async ({ catalog, identify, enter, overload }: PrepareParts, head: RequestHead, route: ExchangeRoute, door: Door, progress: Progress): Promise<Exchange> => {
  const known = identify(head);
  const caller = known instanceof Promise ? await known : known;
  progress.caller = caller;
  const hold = overload.hold(caller);
  progress.hold = hold;
  enter(head, caller, progress.admissions);
  const raw = await door.readBody(hold);
  progress.received = raw.byteLength;
  const { operation, wire, client, model: pathModel, stream, versions } = route;
  const given = {
    headers: head.headers,
    query: withoutKey(head.query),
    ...(pathModel === undefined ? {} : { model: pathModel }),
    ...(stream === undefined ? {} : { stream }),
    ...(versions === undefined ? {} : { versions }),
  };
  const inbound = createInbound(raw, given, client.spelling);
  const { model: name, request, framing = 'sse', declaredCap } = client.decodeRequest(inbound);
  progress.requested = name;
  if ('tools' in request) {
    checkRequestBounds(request, raw.byteLength);
    checkNestedJson(request, raw.byteLength);
  }
  const model = selectModel(catalog, name, caller, wire);
  checkReferences(inbound.body, client.references, [route.vendorState, caller.vendorState]);
  checkDestinations(inbound.body, model);
  const estimate = estimateTokens(operation, weighBody(raw), request, { declaredCap, maxOutput: model.maxOutput });
  // The route's codec made the request for this operation: the union holds, though the compiler cannot follow it.
  return { ...head, operation, caller, inbound, model: model.id, request, framing, targets: model.targets, estimate, losses: stricterPolicy(route.losses, caller.losses), attempts: progress.attempts } as Exchange;
};
