import {
  isObject,
  type JsonObject,
  type Origin,
  readList,
  readObject,
  readText,
  unsealProof,
} from '../../../../../core/index.ts';

/** A value with its sealed proof opened or gone, `undefined` when it goes altogether, and the same object when nothing was sealed. */
type Free = (value: JsonObject, origin: Origin) => JsonObject | undefined;

const isFor = (made: Origin, origin: Origin): boolean =>
  made.provider === origin.provider && made.family === origin.family;

/** `plain`: the vendor's own blob, or none when another made it. `sealed`: it was one of ours. */
const open = (blob: string, origin: Origin): { readonly sealed: boolean; readonly plain: string | undefined } => {
  if (blob === '') return { sealed: false, plain: undefined };
  const proof = unsealProof(blob);
  if (proof.origin === undefined) return { sealed: false, plain: blob };
  return { sealed: true, plain: isFor(proof.origin, origin) ? proof.value : undefined };
};

/** A detail whose proof is another's is worth nothing to this target, its text included. */
const freeDetail: Free = (detail, origin) => {
  const member = detail['type'] === 'reasoning.encrypted' ? 'data' : 'signature';
  const { sealed, plain } = open(readText(detail[member]), origin);
  if (!sealed) return detail;
  return plain === undefined ? undefined : { ...detail, [member]: plain };
};

const freeCall: Free = (call, origin) => {
  const google = readObject(readObject(call['extra_content'])['google']);
  const { sealed, plain } = open(readText(google['thought_signature']), origin);
  if (!sealed) return call;
  const { extra_content: _extra, ...others } = call;
  return plain === undefined
    ? others
    : { ...others, extra_content: { google: { ...google, thought_signature: plain } } };
};

/** The list freed, or `undefined` when nothing in it was sealed. */
const freeList = (value: unknown, free: Free, origin: Origin): readonly unknown[] | undefined => {
  let changed = false;
  const freed = readList(value).flatMap((item) => {
    const next = isObject(item) ? free(item, origin) : item;
    changed ||= next !== item;
    return next === undefined ? [] : [next];
  });
  return changed ? freed : undefined;
};

const freeMessage: Free = (message, origin) => {
  const details = freeList(message['reasoning_details'], freeDetail, origin);
  const calls = freeList(message['tool_calls'], freeCall, origin);
  if (details === undefined && calls === undefined) return message;
  return {
    ...message,
    ...(details === undefined ? {} : { reasoning_details: details }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
};

/** The messages for this target, or `undefined` when they hold no proof that we sealed and may go as they came. */
export const openMessageProofs = (messages: unknown, origin: Origin): readonly unknown[] | undefined =>
  freeList(messages, freeMessage, origin);
