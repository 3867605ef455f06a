import type { JsonObject } from '../../../../../core/api/index.ts';
import { type Origin, type Proof, readText, unsealProof } from '../../../../../core/api/codec.ts';
import { openItemProofs, readItemProof } from '../../../../../core/api/internal.ts';
import { readCompactionItem } from '../../compaction-item.ts';

/** An id that the gateway made; the vendor's own are longer. */
const GATEWAY_ID = /^rs_[0-9a-f]{32}$/;

/** Reasoning that another vendor showed without a proof. This vendor would not find its id. */
const isUnproven = ({ type, id, content }: JsonObject): boolean =>
  type === 'reasoning' && content === undefined && GATEWAY_ID.test(readText(id));

const isOwn = (proof: Proof, origin: Origin): boolean =>
  proof.origin?.provider === origin.provider &&
  proof.origin.family === origin.family &&
  readItemProof(proof) === undefined;

/**
 * Opens the sealed proof of a reasoning item, or the summary of a conversation. The id of an opened item is removed,
 * because the gateway made it and the vendor would not find it.
 * @returns the same object when nothing was sealed; `undefined` when the proof is of another vendor, or of a call or a
 * text, which this wire cannot send
 */
const openItem = (item: JsonObject, origin: Origin): JsonObject | undefined => {
  const summary = readCompactionItem(item);
  if (summary !== undefined) return { type: 'message', role: 'user', content: summary };
  const blob = readText(item['encrypted_content']);
  if (blob === '') return isUnproven(item) ? undefined : item;
  const proof = unsealProof(blob);
  if (proof.origin === undefined) return item;
  if (!isOwn(proof, origin)) return undefined;
  const { id: _id, ...others } = item;
  return { ...others, encrypted_content: proof.value };
};

/** `input` with its proofs opened, or `undefined` when nothing in it has to change. */
export const openInputProofs = (input: unknown, origin: Origin): readonly unknown[] | undefined =>
  openItemProofs(input, (item) => openItem(item, origin));
