import { isObject } from '../../canonical/json/members.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { InboundRequest } from '../../contracts/codec-context.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { layoutOf } from '../../framing/layout-of.ts';
import { spliceBody } from '../../lanes/native/splice.ts';
import type { KeptTexts } from '../../services/vendor-state/records.ts';
import type { VendorState } from '../../services/vendor-state/vendor-state.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { receiveJson } from './receive.ts';

/** Ids that one request can refer to: each is looked up. */
const MAX_IDS = 1_000;

/**
 * The request with what the gateway has kept of earlier responses in the place of references to them. What is not kept
 * stays a reference, which only a vendor can resolve.
 * @returns a promise only if the items are in another process
 * @throws GatewayError 400, 413, 503
 */
export function restoreKept(
  vendorState: VendorState,
  state: ExchangeState,
  caller: Caller,
  inbound: InboundRequest,
): InboundRequest | Promise<InboundRequest> {
  const { kept, spelling } = state.route.client;
  const { body, raw } = inbound;
  if (kept === undefined || !isObject(body)) return inbound;
  const ids = kept.find(body);
  if (ids.length === 0) return inbound;
  if (ids.length > MAX_IDS) throw invalidRequest('', `A request can refer to at most ${MAX_IDS} earlier items.`);
  const read = (texts: KeptTexts): InboundRequest => {
    const found = new Map(ids.map((id, index) => [id, texts[index] ?? ''] as const).filter(([, text]) => text !== ''));
    if (found.size === 0) return inbound;
    const edits = Object.entries(kept.restore(body, found)).map(([member, value]) => ({ member, value }));
    const restored = spliceBody(raw, layoutOf(raw), edits);
    state.hold?.take(restored.byteLength);
    return { ...inbound, raw: restored, body: receiveJson(restored, 'kept', spelling, state.hold) };
  };
  const texts = vendorState.readItems(caller, ids);
  return texts instanceof Promise ? texts.then(read) : read(texts);
}
