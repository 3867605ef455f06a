import { isObject } from './json/members.ts';
import { sealProof, type Proof } from './proof.ts';
import type { JsonObject } from './wire.ts';

/** What a proof belongs to: a call by its id, or a text by its index in the message. */
export type ProofTarget = { readonly callId: string } | { readonly content: number };

/**
 * Google signs calls and texts; some wires have proofs on reasoning only. There the proof of a call or a text is sent
 * as an empty reasoning item behind it, with its target inside the sealed blob. Clients return reasoning items
 * unchanged.
 */
const CALL = 'call:';
const CONTENT = 'content:';
const SEPARATOR = '\n';

export function sealItemProof(target: ProofTarget, proof: Proof): string {
  const head = 'callId' in target ? `${CALL}${target.callId}` : `${CONTENT}${target.content}`;
  return sealProof({ ...proof, value: `${head}${SEPARATOR}${proof.value}` });
}

/** The target and the value of a proof; `undefined` for the proof of real reasoning and for blobs not sealed here. */
export function readItemProof({
  origin,
  value,
}: Proof): { readonly target: ProofTarget; readonly proof: Proof } | undefined {
  const end = value.indexOf(SEPARATOR);
  if (origin === undefined || end < 0) return undefined;
  const proof: Proof = { origin, value: value.slice(end + 1) };
  if (value.startsWith(CALL)) return { target: { callId: value.slice(CALL.length, end) }, proof };
  const content = value.startsWith(CONTENT) ? Number(value.slice(CONTENT.length, end)) : Number.NaN;
  return Number.isSafeInteger(content) ? { target: { content }, proof } : undefined;
}

/**
 * The items of a request with their proofs opened, or `undefined` when nothing in them has to change.
 * @param open returns the same object when nothing was sealed; `undefined` removes the item
 */
export function openItemProofs(
  input: unknown,
  open: (item: JsonObject) => JsonObject | undefined,
): readonly unknown[] | undefined {
  if (!Array.isArray(input)) return undefined;
  let changed = false;
  const opened = input.flatMap((item: unknown) => {
    const next = isObject(item) ? open(item) : item;
    changed ||= next !== item;
    return next === undefined ? [] : [next];
  });
  return changed ? opened : undefined;
}
