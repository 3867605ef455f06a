import type { GenerateRequest } from '../../../../core/api/index.ts';
import { isObject, type InboundRequest, type NativePlan, type TargetProfile } from '../../../../core/api/codec.ts';
import { openInputProofs } from './request/sealed-proofs.ts';
import { createTap } from './response/tap.ts';

/** The client's bytes with the model or agent and the sealed proofs changed. `store` stays as the client set it. */
export function native(
  { body }: InboundRequest,
  { agent, deferred }: GenerateRequest,
  { model, origin, billsOneSearch }: TargetProfile,
): NativePlan {
  const members = isObject(body) ? body : {};
  const input = openInputProofs(members['input'], origin);
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
