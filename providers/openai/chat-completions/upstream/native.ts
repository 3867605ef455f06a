import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  type BodyEdit,
  type InboundRequest,
  isObject,
  type Loss,
  type NativePlan,
  type Origin,
  readObject,
  type TargetProfile,
} from '../../../../core/api/codec.ts';
import { editOutputCap } from '../output-cap.ts';
import { convertObject, keepsObject } from '../reasoning-object.ts';
import { openMessageProofs } from './request/sealed-proofs.ts';
import { createTap } from './response/tap.ts';

/** Usage is always requested, except from a server that refuses the member. The tap withholds an unwanted chunk. */
export const editStreamOptions = (
  body: Readonly<JsonObject>,
  { stream, includeUsage }: GenerateRequest,
  { refusesUsageOption = false }: TargetProfile,
): readonly BodyEdit[] =>
  stream && !includeUsage && !refusesUsageOption
    ? [{ member: 'stream_options', value: { ...readObject(body['stream_options']), include_usage: true } }]
    : [];

/** For a server without the object `reasoning`: it becomes an effort. */
const editReasoning = (
  request: GenerateRequest,
  profile: TargetProfile,
): { readonly edits: readonly BodyEdit[]; readonly losses: readonly Loss[] } => {
  if (keepsObject(profile)) return { edits: [], losses: [] };
  const losses: Loss[] = [];
  const effort = convertObject(request, profile, (field, kind, detail) => losses.push({ field, kind, detail }));
  return {
    edits: [
      { member: 'reasoning', value: undefined },
      ...(effort === undefined ? [] : [{ member: 'reasoning_effort', value: effort }]),
    ],
    losses,
  };
};

/** Sealed proofs are opened for the vendor that made them and removed for any other. */
const editMessages = (body: Readonly<JsonObject>, origin: Origin): readonly BodyEdit[] => {
  const messages = openMessageProofs(body['messages'], origin);
  return messages === undefined ? [] : [{ member: 'messages', value: messages }];
};

/** The client's bytes with only the necessary edits. */
export function native(
  inbound: InboundRequest,
  request: GenerateRequest,
  profile: TargetProfile,
): NativePlan | undefined {
  // Excluded reasoning can be anywhere in the vendor's bytes, so they cannot be relayed.
  if (request.reasoning?.show === false) return undefined;
  const body = isObject(inbound.body) ? inbound.body : {};
  const isObjectGiven = body['reasoning'] !== undefined && body['reasoning'] !== null;
  const reasoning = isObjectGiven ? editReasoning(request, profile) : undefined;
  return {
    edits: [
      { member: 'model', value: profile.model },
      ...editStreamOptions(body, request, profile),
      ...editOutputCap(body, profile.capMember),
      ...(reasoning === undefined ? [] : reasoning.edits),
      ...editMessages(body, profile.origin),
    ],
    ...(reasoning === undefined ? {} : { losses: reasoning.losses }),
    headers: {},
    tap: () => createTap(request, profile),
  };
}
