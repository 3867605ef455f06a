import { sealProof, type Proof } from '../../../core/index.ts';

/**
 * Google signs a call, this wire signs thinking only. So the proof of a call is handed out as an empty thinking block of its own, which names the
 * call inside the sealed blob: clients give thinking blocks back as they came, and the call id stays short.
 */
const MARK = 'call:';
const SEPARATOR = '\n';

export const sealCallProof = (callId: string, proof: Proof): string =>
  sealProof({ ...proof, value: `${MARK}${callId}${SEPARATOR}${proof.value}` });

/** The call a proof belongs to, and that call's own proof; `undefined` for the proof of real thinking. Only blobs that we sealed are looked at. */
export function readCallProof(proof: Proof): { readonly callId: string; readonly proof: Proof } | undefined {
  if (proof.origin === undefined || !proof.value.startsWith(MARK)) return undefined;
  const end = proof.value.indexOf(SEPARATOR);
  return end < 0
    ? undefined
    : {
        callId: proof.value.slice(MARK.length, end),
        proof: { origin: proof.origin, value: proof.value.slice(end + 1) },
      };
}
