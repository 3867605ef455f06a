import type { JsonObject } from '../../../../../core/api/index.ts';
import {
  isObject,
  type Origin,
  readList,
  readObject,
  readText,
  sealProof,
  unsealProof,
} from '../../../../../core/api/codec.ts';
import { openCallId } from '../../sealed-ids.ts';

/**
 * Opens or removes the sealed proof of a value.
 * @returns the same object when nothing was sealed; `undefined` when the whole value is removed
 */
type OpenProof = (value: JsonObject, origin: Origin) => JsonObject | undefined;

const isSame = (made: Origin, origin: Origin): boolean =>
  made.provider === origin.provider && made.family === origin.family;

/**
 * `sealed`: the gateway had sealed the blob. `plain`: the vendor's own blob; `undefined` when another vendor made it.
 */
const open = (blob: string, origin: Origin): { readonly sealed: boolean; readonly plain: string | undefined } => {
  if (blob === '') return { sealed: false, plain: undefined };
  const proof = unsealProof(blob);
  if (proof.origin === undefined) return { sealed: false, plain: blob };
  return { sealed: true, plain: isSame(proof.origin, origin) ? proof.value : undefined };
};

/** A detail with the proof of another vendor is removed with its text. */
const openDetail: OpenProof = (detail, origin) => {
  const member = detail['type'] === 'reasoning.encrypted' ? 'data' : 'signature';
  const { sealed, plain } = open(readText(detail[member]), origin);
  if (!sealed) return detail;
  return plain === undefined ? undefined : { ...detail, [member]: plain };
};

/** A proof in the id is also in `extra_content`, where the client has kept that. */
const openCall: OpenProof = (call, origin) => {
  const google = readObject(readObject(call['extra_content'])['google']);
  const { id, proof } = openCallId(readText(call['id']));
  const kept = readText(google['thought_signature']);
  const { sealed, plain } = open(kept === '' && proof !== undefined ? sealProof(proof) : kept, origin);
  if (!sealed) return proof === undefined ? call : { ...call, id };
  const { extra_content: _extra, ...rest } = call;
  const others = proof === undefined ? rest : { ...rest, id };
  return plain === undefined
    ? others
    : { ...others, extra_content: { google: { ...google, thought_signature: plain } } };
};

/** The list with its proofs opened, or `undefined` when nothing in it was sealed. */
const openList = (value: unknown, openItem: OpenProof, origin: Origin): readonly unknown[] | undefined => {
  const items = readList(value);
  let opened: unknown[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    const next = isObject(item) ? openItem(item, origin) : item;
    if (next !== item) opened ??= items.slice(0, at);
    if (next !== undefined) opened?.push(next);
  }
  return opened;
};

const openMessage: OpenProof = (message, origin) => {
  const details = openList(message['reasoning_details'], openDetail, origin);
  const calls = openList(message['tool_calls'], openCall, origin);
  const { tool_call_id: answered } = message;
  const result = typeof answered === 'string' ? openCallId(answered).id : undefined;
  if (details === undefined && calls === undefined && result === answered) return message;
  return {
    ...message,
    ...(result === undefined ? {} : { tool_call_id: result }),
    ...(details === undefined ? {} : { reasoning_details: details }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
};

/** The messages with their proofs opened, or `undefined` when nothing in them has to change. */
export const openMessageProofs = (messages: unknown, origin: Origin): readonly unknown[] | undefined =>
  openList(messages, openMessage, origin);
