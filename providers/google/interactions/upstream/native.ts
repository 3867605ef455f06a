import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  isObject,
  type InboundRequest,
  type NativePlan,
  type Origin,
  readText,
  type TargetProfile,
  unsealProof,
} from '../../../../core/api/codec.ts';
import { openItemProofs, readItemProof } from '../../../../core/api/internal.ts';
import { isSameOrigin } from '../../generate-content/upstream/native.ts';
import { createTap } from './response/tap.ts';

/**
 * Opens the sealed signature of a thought.
 * @returns the same object if nothing was sealed; undefined if the proof is of another vendor, or of a call or a text
 */
const openStep = (step: JsonObject, origin: Origin): JsonObject | undefined => {
  const signature = readText(step['signature']);
  if (signature === '') return step;
  const proof = unsealProof(signature);
  if (proof.origin === undefined) return step;
  if (isSameOrigin(proof.origin, origin) && readItemProof(proof) === undefined)
    return { ...step, signature: proof.value };
  if (step['type'] === 'thought') return undefined;
  const { signature: _sealed, ...others } = step;
  return others;
};

/** The client's bytes with the model or agent and the sealed proofs changed. `store` stays as the client set it. */
export function native(
  { body }: InboundRequest,
  { agent, deferred }: GenerateRequest,
  { model, origin, billsOneSearch }: TargetProfile,
): NativePlan {
  const members = isObject(body) ? body : {};
  const input = openItemProofs(members['input'], (step) => openStep(step, origin));
  return {
    edits: [
      { member: agent === true ? 'agent' : 'model', value: model },
      ...(input === undefined ? [] : [{ member: 'input', value: input }]),
    ],
    headers: {},
    tap: () =>
      createTap({ billsOneSearch, isStored: members['store'] !== false, isBackground: deferred !== undefined }),
  };
}
