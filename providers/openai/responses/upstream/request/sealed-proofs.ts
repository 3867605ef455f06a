import {
  isObject,
  type JsonObject,
  type Origin,
  type Proof,
  readText,
  unsealProof,
} from '../../../../../core/index.ts';
import { readItemProof } from '../../item-proof.ts';

/** A name that was given here: the vendor's own are longer. */
const MADE_UP = /^rs_[0-9a-f]{32}$/;

/** Reasoning that another vendor showed without a proof. This one would look for it by its name, in vain. */
const isUnproven = ({ type, id, content }: JsonObject): boolean =>
  type === 'reasoning' && content === undefined && MADE_UP.test(readText(id));

const isOwn = (proof: Proof, maker: Origin): boolean =>
  proof.origin?.provider === maker.provider &&
  proof.origin.family === maker.family &&
  readItemProof(proof) === undefined;

/**
 * A reasoning item with its sealed proof opened, `undefined` when another vendor made it or it proves a call or a text, which this wire cannot
 * say to anyone, and the same object when nothing was sealed.
 * The name of an opened item was made up here: the vendor would look for it in vain.
 */
const freeItem = (item: JsonObject, origin: Origin): JsonObject | undefined => {
  const blob = readText(item['encrypted_content']);
  if (blob === '') return isUnproven(item) ? undefined : item;
  const proof = unsealProof(blob);
  if (proof.origin === undefined) return item;
  if (!isOwn(proof, origin)) return undefined;
  const { id: _id, ...others } = item;
  return { ...others, encrypted_content: proof.value };
};

/** The input for this target, or `undefined` when it holds no proof that we sealed and may go as it came. */
export function openInputProofs(input: unknown, origin: Origin): readonly unknown[] | undefined {
  if (!Array.isArray(input)) return undefined;
  let changed = false;
  const freed = input.flatMap((item: unknown) => {
    const next = isObject(item) ? freeItem(item, origin) : item;
    changed ||= next !== item;
    return next === undefined ? [] : [next];
  });
  return changed ? freed : undefined;
}
