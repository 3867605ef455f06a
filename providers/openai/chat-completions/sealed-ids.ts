import { sealProof, unsealProof, type Proof } from '../../../core/api/codec.ts';

/** Between the id of the vendor and the proof: the start of every sealed proof in base64. */
const MARK = '__a29pbmUx';
const SEPARATOR_LENGTH = 2;
/** Signatures are some hundred characters to several thousand. Longer ones are in `extra_content` only. */
const MAX_SEALED = 8_192;

/** An id as a client sends it back. */
interface OpenedId {
  readonly id: string;
  readonly proof?: Proof;
}

/**
 * The id of a call for a client of this wire, with the proof of the call in it. Many clients leave out `extra_content`,
 * where Google's clients keep a signature, but all of them send ids back unchanged. The wire limits neither their
 * length nor their characters; those of base64url are also valid on other wires.
 */
export function sealCallId(id: string, proof: Proof | undefined): string {
  if (proof?.origin === undefined) return id;
  const sealed = Buffer.from(sealProof(proof), 'base64').toString('base64url');
  return sealed.length > MAX_SEALED ? id : `${id}${MARK.slice(0, SEPARATOR_LENGTH)}${sealed}`;
}

/** The inverse of {@link sealCallId}. An id that is not sealed, or that a client has altered, stays as it is. */
export function openCallId(id: string): OpenedId {
  const at = id.lastIndexOf(MARK);
  if (at < 0) return { id };
  const proof = unsealProof(id.slice(at + SEPARATOR_LENGTH));
  return proof.origin === undefined ? { id } : { id: id.slice(0, at), proof };
}
