import type { Proof } from '../../../core/api/codec.ts';
import { readItemProof, sealItemProof } from '../../../core/api/internal.ts';

/**
 * Google signs calls; this wire signs only thinking. The proof of a call is therefore sent as an empty thinking block,
 * which names the call inside the sealed blob. Clients return thinking blocks unchanged, and the call id stays short.
 */
export const sealCallProof = (callId: string, proof: Proof): string => sealItemProof({ callId }, proof);

/** The call that a proof belongs to, and the proof of that call; `undefined` for the proof of real thinking. */
export function readCallProof(proof: Proof): { readonly callId: string; readonly proof: Proof } | undefined {
  const item = readItemProof(proof);
  return item && 'callId' in item.target ? { callId: item.target.callId, proof: item.proof } : undefined;
}
