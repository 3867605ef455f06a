import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import { isObject, type InboundRequest, type NativePlan, type TargetProfile } from '../../../../core/api/codec.ts';
import { readOutputText } from './response/item-content.ts';
import { openInputProofs } from './request/sealed-proofs.ts';
import { createTap } from './response/tap.ts';

/** The client's bytes with only the model and the sealed proofs changed. `store` stays as the client set it. */
export function native(inbound: InboundRequest, { deferred }: GenerateRequest, profile: TargetProfile): NativePlan {
  const body: Readonly<JsonObject> = isObject(inbound.body) ? inbound.body : {};
  const input = openInputProofs(body['input'], profile.origin);
  return {
    edits: [
      { member: 'model', value: profile.model },
      ...(input === undefined ? [] : [{ member: 'input', value: input }]),
    ],
    headers: {},
    tap: () => createTap(profile, body['store'] !== false && profile.stateless !== true, deferred !== undefined),
    addToResponse: (answer) =>
      typeof answer['output_text'] === 'string' ? [] : [{ member: 'output_text', value: readOutputText(answer) }],
  };
}
