import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../canonical/json/members.ts';
import { omitUndefined } from '../canonical/json/omit-undefined.ts';
import type { JsonObject, Operation, WireName } from '../canonical/wire.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Caller } from '../contracts/caller.ts';
import type { Codec, UpstreamSide } from '../contracts/codec.ts';
import type { InboundRequest } from '../contracts/codec-context.ts';
import type { Draft, Exchange, Rewrite } from '../contracts/exchange.ts';
import type { BodyEdit } from '../contracts/native.ts';
import type { PluginInstance } from '../contracts/plugin.ts';
import { layoutOf } from '../framing/layout-of.ts';
import { spliceBody } from '../lanes/native/splice.ts';
import { unmetered } from './overload/overload.ts';
import { createExchange, decodeRequest, type Decoded, type ExchangeParts } from './read-request.ts';
import { receiveJson } from './request/receive.ts';
import { checkStoredObjects } from './request/stored-objects.ts';
import { findReferences } from './request/vendor-references.ts';
import type { ExchangeState } from './exchange-state.ts';

type FindCodec = <O extends Operation>(operation: O, wire: WireName) => Codec<O> | undefined;

/** Calls the `rewrite` hooks. @returns a promise only if a plugin returns one */
export type RewriteRequest = (state: ExchangeState, caller: Caller, decoded: Decoded) => Decoded | Promise<Decoded>;

const noLoss = (): void => {};

/** The members that the codec writes for a request. */
function writeMembers(
  upstream: UpstreamSide<Operation>,
  { wire, traits }: ExchangeState['route'],
  request: Draft['request'],
): Readonly<Record<string, unknown>> {
  const origin = { provider: '', family: '' };
  return upstream.encodeRequest(request, { provider: '', model: '', wire, origin, capabilities: {}, traits }, noLoss)
    .body;
}

/** The members that differ. */
const listEdits = (
  before: Readonly<JsonObject>,
  after: Readonly<JsonObject>,
  differs: (one: unknown, other: unknown) => boolean,
): readonly BodyEdit[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((member) => differs(before[member], after[member]))
    .map((member) => ({ member, value: after[member] }));

const plain = (request: Draft['request']): unknown => JSON.parse(JSON.stringify(request)) as unknown;

/**
 * The changed request within the client's bytes: only members that differ are replaced.
 * @returns undefined if the bytes cannot express the change: the turns differ, or another member overrides the edit
 */
function splice(
  state: ExchangeState,
  { inbound, request }: Decoded,
  changed: Draft['request'],
  upstream: UpstreamSide<Operation> | undefined,
): Decoded | undefined {
  if (upstream === undefined || !('turns' in request && 'turns' in changed && changed.turns === request.turns))
    return undefined;
  const before = writeMembers(upstream, state.route, request);
  const after = writeMembers(upstream, state.route, changed);
  const edits = listEdits(before, after, (one, other) => JSON.stringify(one) !== JSON.stringify(other));
  const raw = spliceBody(inbound.raw, layoutOf(inbound.raw), edits);
  state.hold?.take(raw.byteLength);
  const body = receiveJson(raw, 'kept', state.route.client.spelling, state.hold);
  const decoded = decodeRequest(state, { ...inbound, raw, body });
  return isDeepStrictEqual(plain(decoded.request), plain(changed)) ? decoded : undefined;
}

/**
 * The request with another body. It is attributed to the same end user as before, also if the body no longer names one.
 * @throws GatewayError 400, 413
 */
function replaceBody(state: ExchangeState, decoded: Decoded, body: Readonly<JsonObject>): Decoded {
  const { inbound, request } = decoded;
  const before = isObject(inbound.body) ? inbound.body : {};
  const edits = listEdits(before, body, (one, other) => one !== other);
  const raw = spliceBody(inbound.raw, layoutOf(inbound.raw), edits);
  const read = receiveJson(raw, 'kept', state.route.client.spelling);
  const changed = decodeRequest(state, { ...inbound, raw, body: read });
  const user = decoded.user ?? ('user' in request ? request.user : undefined);
  const model = changed.model === state.requested ? decoded.model : changed.model;
  return omitUndefined<Decoded>({ ...decoded, ...changed, model, user });
}

function applyRewrite(state: ExchangeState, decoded: Decoded, rewrite: Rewrite | undefined, codec: FindCodec): Decoded {
  if (rewrite === undefined) return decoded;
  const { request, body, route = {} } = rewrite;
  const current = body === undefined ? decoded : replaceBody(state, decoded, body);
  const { model = current.model } = rewrite;
  const changes = { model, allowed: { ...current.allowed, ...route } };
  if (request === undefined || request === current.request) return { ...current, ...changes };
  const { operation, wire } = state.route;
  const spliced = current.isRewritten ? undefined : splice(state, current, request, codec(operation, wire)?.upstream);
  return { ...(spliced ?? { ...current, request, isRewritten: true }), ...changes };
}

/**
 * Composes the `rewrite` hooks in YAML order; each sees the changes of those before it.
 * @returns undefined if no plugin has the hook: requests then skip this phase
 */
export function composeRewrite(
  plugins: readonly PluginInstance[],
  codec: FindCodec,
  catalog: Pick<Catalog, 'find' | 'models'>,
): RewriteRequest | undefined {
  const hooks = plugins.flatMap((plugin) => plugin.rewrite?.bind(plugin) ?? []);
  if (hooks.length === 0) return undefined;
  const rewriteFrom = (
    first: number,
    state: ExchangeState,
    caller: Caller,
    decoded: Decoded,
  ): Decoded | Promise<Decoded> => {
    let current = decoded;
    for (let index = first; index < hooks.length; index += 1) {
      const { inbound, model, request, isRewritten } = current;
      const before = current;
      const { operation } = state.route;
      const catalogId = catalog.find(model)?.id;
      const work = state.hold ?? unmetered;
      const draft = {
        ...state.head,
        operation,
        caller,
        inbound,
        model,
        catalogId,
        catalog,
        request,
        isRewritten,
        work,
      } as Draft;
      const answer = hooks[index]?.(draft);
      if (answer instanceof Promise)
        return answer.then((rewrite) =>
          rewriteFrom(index + 1, state, caller, applyRewrite(state, before, rewrite, codec)),
        );
      current = applyRewrite(state, before, answer, codec);
    }
    return current;
  };
  return (state, caller, decoded) => rewriteFrom(0, state, caller, decoded);
}

function completeExchange(
  parts: ExchangeParts,
  state: ExchangeState,
  caller: Caller,
  decoded: Decoded,
): Exchange | Promise<Exchange> {
  const { client, vendorState } = state.route;
  const references = findReferences(decoded.inbound.body, client.references);
  if (references.length === 0) return createExchange(parts, state, caller, decoded);
  const stored = checkStoredObjects(parts.vendorState, caller, references, [vendorState, caller.vendorState]);
  return stored instanceof Promise
    ? stored.then((found) => createExchange(parts, state, caller, { ...decoded, stored: found }))
    : createExchange(parts, state, caller, { ...decoded, stored });
}

/**
 * Decodes a request, lets plugins rewrite it, and selects its targets.
 * @returns a promise only if a plugin returns one, or if it refers to something at a vendor
 * @throws GatewayError 400, 404, 413, 503, or the refusal of a plugin
 */
export function readExchange(
  parts: ExchangeParts & { readonly rewrite: RewriteRequest | undefined },
  state: ExchangeState,
  caller: Caller,
  inbound: InboundRequest,
): Exchange | Promise<Exchange> {
  const decoded = decodeRequest(state, inbound);
  const { rewrite } = parts;
  const rewritten = rewrite === undefined ? decoded : rewrite(state, caller, decoded);
  return rewritten instanceof Promise
    ? rewritten.then((changed) => completeExchange(parts, state, caller, changed))
    : completeExchange(parts, state, caller, rewritten);
}

/** What is wrong with the result of a `rewrite` hook, to complete `it returned …`; undefined: nothing. */
export function checkRewrite(result: Rewrite | undefined, draft: Draft): string | undefined {
  if (result === undefined) return undefined;
  if (!isObject(result)) return 'neither an object nor undefined';
  const { model, request, body, route } = result as Partial<Record<keyof Rewrite, unknown>>;
  if (model !== undefined && (typeof model !== 'string' || model === '')) return 'a model that is not a name';
  if (route !== undefined && !isObject(route)) return 'a route that is not an object';
  if (body !== undefined && !isObject(body)) return 'a body that is not an object';
  if (body !== undefined && request !== undefined) return 'a body and a request';
  if (body !== undefined && draft.isRewritten === true)
    return 'a body, but an earlier plugin has changed the turns of the request';
  if (request === undefined) return undefined;
  if (!isObject(request)) return 'a request that is not an object';
  const { stream, wire } = draft.request as { readonly stream?: boolean; readonly wire?: string };
  return request['stream'] === stream && request['wire'] === wire
    ? undefined
    : 'a request with another stream or wire than that of the client';
}
