import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, type Origin, readText, unsealProof } from '../../../../../core/api/codec.ts';
import { readItemProof } from '../../../../../core/api/internal.ts';

const isSame = (made: Origin, origin: Origin): boolean =>
  made.provider === origin.provider && made.family === origin.family;

/**
 * Opens the sealed signature of a thought.
 * @returns the same object if nothing was sealed; undefined if the proof is of another vendor, or of a call or a text
 */
const openStep = (step: JsonObject, origin: Origin): JsonObject | undefined => {
  const signature = readText(step['signature']);
  if (signature === '') return step;
  const proof = unsealProof(signature);
  if (proof.origin === undefined) return step;
  if (isSame(proof.origin, origin) && readItemProof(proof) === undefined) return { ...step, signature: proof.value };
  if (step['type'] === 'thought') return undefined;
  const { signature: _sealed, ...others } = step;
  return others;
};

/** `input` with the proofs that `origin` can read, or undefined if nothing in it is sealed. */
export function openInputProofs(input: unknown, origin: Origin): readonly unknown[] | undefined {
  if (!Array.isArray(input)) return undefined;
  let changed = false;
  const opened = input.flatMap((step: unknown) => {
    const next = isObject(step) ? openStep(step, origin) : step;
    changed ||= next !== step;
    return next === undefined ? [] : [next];
  });
  return changed ? opened : undefined;
}
