import { sealProof, type Proof } from '../../../core/index.ts';

/** What a proof stands on that this wire has no place for: a call by its id, or a text by its index in the message. */
export type ProofTarget = { readonly callId: string } | { readonly content: number };

/**
 * Google signs calls and texts, this wire signs reasoning only. So the proof of a call or a text is handed out as an empty reasoning item of its
 * own behind it, which names what it stands on inside the sealed blob: clients give reasoning items back as they came.
 */
const CALL = 'call:';
const CONTENT = 'content:';
const SEPARATOR = '\n';

export function sealItemProof(signed: ProofTarget, proof: Proof): string {
  const head = 'callId' in signed ? `${CALL}${signed.callId}` : `${CONTENT}${signed.content}`;
  return sealProof({ ...proof, value: `${head}${SEPARATOR}${proof.value}` });
}

/** What a proof stands on and its own value; `undefined` for the proof of real reasoning. Only blobs that we sealed are looked at. */
export function readItemProof({
  origin,
  value,
}: Proof): { readonly signed: ProofTarget; readonly proof: Proof } | undefined {
  const end = value.indexOf(SEPARATOR);
  if (origin === undefined || end < 0) return undefined;
  const proof: Proof = { origin, value: value.slice(end + 1) };
  if (value.startsWith(CALL)) return { signed: { callId: value.slice(CALL.length, end) }, proof };
  const content = value.startsWith(CONTENT) ? Number(value.slice(CONTENT.length, end)) : Number.NaN;
  return Number.isSafeInteger(content) ? { signed: { content }, proof } : undefined;
}
