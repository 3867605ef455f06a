import { operations } from '../canonical/operation/operations.ts';
import type { HostedTool } from '../canonical/tool.ts';
import { isObject } from '../canonical/json/members.ts';
import type { LossPolicy } from '../canonical/loss.ts';
import type { GenerateRequest } from '../canonical/request.ts';
import { weighBody } from '../canonical/text/text-weight.ts';
import type { Operation } from '../canonical/wire.ts';
import type { Catalog, Model } from '../catalog/catalog.ts';
import type { Caller } from '../contracts/caller.ts';
import type { InboundRequest, RequestOf } from '../contracts/codec-context.ts';
import type { Exchange, Rewrite, StoredObjects } from '../contracts/exchange.ts';
import type { Tenancy } from '../contracts/services.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { layoutOf } from '../framing/layout-of.ts';
import { spliceBody } from '../lanes/native/splice.ts';
import type { VendorState } from '../services/vendor-state/vendor-state.ts';
import { withoutKey } from './authenticate.ts';
import { TAGS_HEADER, USER_HEADER, type Attribute } from './request/attribution.ts';
import type { IsCodingAgent } from './request/coding-agents.ts';
import { checkDestinations } from './request/destination-members.ts';
import { estimateTokens } from './request/estimate.ts';
import type { ExchangeState } from './exchange-state.ts';
import { unmetered } from './overload/overload.ts';
import { checkNestedJson } from './request/nested-json.ts';
import { receiveJson } from './request/receive.ts';
import { checkRequestBounds } from './request/request-bounds.ts';
import { editBody, type PlaceEdit } from './request/edit-body.ts';
import { describeTools, governHostedTools, selectPolicy, type ToolDecision } from './request/hosted-tools.ts';
import { listPricedTargets, selectModel } from './select.ts';

/** From the least to the most strict. */
const policies: readonly LossPolicy[] = ['allow', 'warn', 'reject'];
const rank = (policy: LossPolicy = 'allow'): number => policies.indexOf(policy);

/** A form begins with the two hyphens of its first boundary. Any other body is read as JSON, whatever its type. */
const HYPHEN = 0x2d;

/** @throws GatewayError 415 for the form of an upload on a wire whose requests are JSON */
const refuseForm = (raw: Uint8Array, contentType = ''): void => {
  if (raw[0] !== HYPHEN || !/^multipart\/form-data\b/i.test(contentType)) return;
  throw new GatewayError(
    'unsupported_media_type',
    'The body is multipart/form-data, and this path takes JSON: send content-type: application/json, with files as ' +
      'data URIs.',
  );
};

/**
 * Parses the body and makes the checks that are the same for every codec.
 * @throws GatewayError 400, 413, 415, 429, 503
 */
export function parseRequest(state: ExchangeState, raw: Uint8Array): InboundRequest {
  const { head, route, pathModel } = state;
  const { client, stream, versions } = route;
  state.received = raw.byteLength;
  if (client.form === undefined) refuseForm(raw, head.headers['content-type']);
  const body = receiveJson(raw, 'kept', client.spelling, state.hold);
  const query = withoutKey(head.query);
  const { upload } = state;
  const { headers } = head;
  return { raw, body, upload, headers, query, model: pathModel, stream, versions };
}

/** A decoded request, and what plugins have changed of it. */
export interface Decoded {
  readonly inbound: InboundRequest;
  /** As the client named it, or as a plugin chose it. */
  readonly model: string;
  readonly request: RequestOf<Operation>;
  readonly user?: string;
  readonly framing?: string;
  readonly declaredCap?: number;
  /** The bytes of the client no longer say what the request does. */
  readonly isRewritten?: boolean;
  /** What it refers to at a vendor. */
  readonly stored?: StoredObjects;
  /** What plugins allow. */
  readonly allowed?: Rewrite['route'];
}

/**
 * Decodes a request from the client's wire.
 * @throws GatewayError 400, 413
 */
export function decodeRequest(state: ExchangeState, inbound: InboundRequest): Decoded {
  const { traits, client } = state.route;
  const decoded = client.decodeRequest(inbound);
  const { request } = decoded;
  state.requested ??= decoded.model;
  if ('tools' in request) {
    checkRequestBounds(request, traits, inbound.raw.byteLength);
    checkNestedJson(request, inbound.raw.byteLength);
  }
  return { inbound, ...decoded };
}

/**
 * The targets that a plugin allows, and of which one has what the request refers to.
 * @throws GatewayError `no_target_available`, 400
 */
function selectTargets(
  id: string,
  targets: Model['targets'],
  providers: readonly string[] | undefined,
  stored: StoredObjects | undefined,
): Model['targets'] {
  const allowed = providers === undefined ? targets : targets.filter(({ provider }) => providers.includes(provider));
  if (allowed.length === 0)
    throw new GatewayError(
      'no_target_available',
      `${id} has no target at ${providers?.join(', ')}, and a plugin allows no other provider for this request.`,
    );
  const place = stored?.place;
  if (place === undefined) return allowed;
  if (
    allowed.some(({ provider, credentials }) => provider === place.provider && credentials.includes(place.credential))
  )
    return allowed;
  throw invalidRequest(
    place.path,
    `'${place.path}' refers to something that is stored at ${place.provider}, and ${id} is not available there with ` +
      'the credential that created it. Use the model of the earlier response, or send the content itself.',
  );
}

/** What an exchange is created with. */
export interface ExchangeParts {
  readonly vendorState: VendorState;
  readonly catalog: Catalog;
  readonly attribute: Attribute;
  readonly isCodingAgent: IsCodingAgent;
  readonly tenancy: Tenancy;
}

const noTools = { tools: [], edits: [], losses: [], isLimited: false } as const;

/** A wire that does not declare its tools: none of them is known. */
const listUnknown = ({ tools }: GenerateRequest): readonly HostedTool[] =>
  tools.flatMap(({ kind, name }) => (kind === 'hosted' ? [{ type: name, place: [] }] : []));

/** Decides about the tools of a request that run at a vendor; undefined: it has none. */
const governTools = (
  { catalog, tenancy, isCodingAgent }: Omit<ExchangeParts, 'vendorState'>,
  { route, head: { headers } }: ExchangeState,
  caller: Caller,
  model: Model,
  { inbound, request }: Decoded,
): ToolDecision | undefined => {
  if (!('tools' in request)) return undefined;
  const { client, operation } = route;
  const hosted = operation === 'generate' && client.hostedTools ? client.hostedTools(inbound.body, request) : undefined;
  const tools = hosted ?? listUnknown(request);
  if (tools.length === 0) return undefined;
  const asked = { inbound, request, caller, route, model, tools };
  const isAgent = isCodingAgent(headers['user-agent']);
  // Only generation runs tools.
  return operation === 'generate'
    ? governHostedTools({ catalog, tenancy }, asked, isAgent)
    : { ...noTools, policy: selectPolicy({ tenancy }, asked, isAgent) };
};

/**
 * The request with changes of the gateway in the client's bytes. What a plugin has changed of the conversation stays.
 */
function editDecoded(state: ExchangeState, decoded: Decoded, edits: readonly PlaceEdit[]): Decoded {
  const { inbound } = decoded;
  if (edits.length === 0 || !isObject(inbound.body)) return decoded;
  const raw = spliceBody(inbound.raw, layoutOf(inbound.raw), editBody(inbound.body, edits));
  const body = receiveJson(raw, 'kept', state.route.client.spelling);
  const { request, inbound: sent } = decodeRequest(state, { ...inbound, raw, body });
  if (!('tools' in request)) return { ...decoded, inbound: sent, request };
  // What the gateway has added is no loss where the target's wire does not have it.
  const added = edits.flatMap(({ place, value }) =>
    place.length === 1 && value !== undefined ? String(place[0]) : [],
  );
  const extra = { ...request.extra, honoured: [...(request.extra.honoured ?? []), ...added] };
  const { tools } = request;
  const own = decoded.isRewritten === true ? { ...decoded.request, tools } : request;
  return { ...decoded, inbound: sent, request: { ...own, extra } as Decoded['request'] };
}

/** An agent works with calls of its own, so a client has to name it as one. @throws GatewayError 400 */
function checkAgent(request: object, { id, agent }: Model): void {
  const isNamed = 'agent' in request;
  if (isNamed === (agent !== undefined)) return;
  throw isNamed
    ? invalidRequest('agent', `'${id}' is no agent in the catalog of this gateway. Name it as 'model'.`)
    : invalidRequest('model', `'${id}' is an agent of the vendor: name it as 'agent' in a request of interactions.`);
}

/**
 * Selects the model and its targets, attributes the request, and estimates the tokens.
 * @throws GatewayError 400, 404
 */
export function createExchange(
  parts: Omit<ExchangeParts, 'vendorState'>,
  state: ExchangeState,
  caller: Caller,
  received: Decoded,
): Exchange {
  const { catalog, attribute } = parts;
  const { head, route } = state;
  const { operation, wire } = route;
  const model = selectModel(catalog, received.model, caller, wire);
  checkDestinations(received.inbound.body, model);
  checkAgent(received.request, model);
  const { isFree } = operations[operation];
  const image = 'count' in received.request ? received.request : undefined;
  const targets = isFree === true ? model.targets : listPricedTargets(parts.tenancy, caller, model, operation, image);
  const decision = governTools(parts, state, caller, model, received);
  const decoded = decision === undefined ? received : editDecoded(state, received, decision.edits);
  const { inbound, request, framing = 'sse', declaredCap, isRewritten, allowed, stored } = decoded;
  const user = caller.user ?? decoded.user ?? ('user' in request ? request.user : undefined);
  const isAttributed =
    attribute.hasTags || (user ?? caller.tags ?? head.headers[USER_HEADER] ?? head.headers[TAGS_HEADER]) !== undefined;
  const attribution = isAttributed ? attribute.of(head.headers, caller, user) : undefined;
  state.tellsCost = (caller.costHeaders ?? route.costHeaders) === 'on';
  const weight = weighBody(isRewritten === true ? Buffer.from(JSON.stringify(request)) : inbound.raw);
  const { agent, maxOutput, defaults } = model;
  const caps = { declaredCap, agent, maxOutput, usual: defaults?.fields.maxTokens };
  const estimate = estimateTokens(operation, weight, request, caps);
  // The route's codec decodes requests of this operation only; the compiler cannot see it.
  return {
    ...head,
    operation,
    caller,
    inbound,
    model: model.id,
    request,
    ...(attribution === undefined ? undefined : { attribution }),
    ...(isRewritten === true ? { isRewritten } : undefined),
    framing,
    targets: (allowed ?? stored) === undefined ? targets : selectTargets(model.id, targets, allowed?.providers, stored),
    ...(stored && { stored }),
    ...(decision === undefined ? { estimate, hostedTools: 'refuse' } : describeTools(decision, estimate)),
    losses: policies[Math.max(rank(route.losses), rank(caller.losses), rank(allowed?.losses))],
    attempts: state.attempts,
    work: state.hold ?? unmetered,
  } as Exchange;
}
