import { sealProof, type Proof } from '../../../core/api/codec.ts';

/**
 * Google signs calls; this wire signs only thinking. The proof of a call is therefore sent as an empty thinking block,
 * which names the call inside the sealed blob. Clients return thinking blocks unchanged, and the call id stays short.
 */
const MARK = 'call:';
const SEPARATOR = '\n';

export const sealCallProof = (callId: string, proof: Proof): string =>
  sealProof({ ...proof, value: `${MARK}${callId}${SEPARATOR}${proof.value}` });

/**
 * The call that a proof belongs to, and the proof of that call; `undefined` for the proof of real thinking. Only blobs
 * that the gateway sealed are read.
 */
export function readCallProof(proof: Proof): { readonly callId: string; readonly proof: Proof } | undefined {
  if (proof.origin === undefined || !proof.value.startsWith(MARK)) return undefined;
  const end = proof.value.indexOf(SEPARATOR);
  return end === -1
    ? undefined
    : {
        callId: proof.value.slice(MARK.length, end),
        proof: { origin: proof.origin, value: proof.value.slice(end + 1) },
      };
}
