import type { GenerateRequest, JsonObject } from '../../../../core/api/index.ts';
import {
  type BodyEdit,
  type InboundRequest,
  isObject,
  type NativePlan,
  type Origin,
  readObject,
  type TargetProfile,
} from '../../../../core/api/codec.ts';
import { chooseEffort } from '../../../../core/api/internal.ts';
import { editOutputCap } from '../output-cap.ts';

import { openMessageProofs } from './request/sealed-proofs.ts';
import { createTap } from './response/tap.ts';

/** Usage is always requested, except from a server that refuses the member. The tap withholds an unwanted chunk. */
const editStreamOptions = (
  body: Readonly<JsonObject>,
  { stream, includeUsage }: GenerateRequest,
  { refusesUsageOption = false }: TargetProfile,
): readonly BodyEdit[] =>
  stream && !includeUsage && !refusesUsageOption
    ? [{ member: 'stream_options', value: { ...readObject(body['stream_options']), include_usage: true } }]
    : [];

/**
 * Vendors do not have the gateway's own `reasoning` object: it becomes `reasoning_effort`. An effort stays as the
 * client sent it.
 */
const editReasoning = (
  body: Readonly<JsonObject>,
  request: GenerateRequest,
  { capabilities }: TargetProfile,
): readonly BodyEdit[] => {
  if (body['reasoning'] === undefined || body['reasoning'] === null) return [];
  const { effort: given, budget } = request.reasoning ?? {};
  const effort = given ?? (budget === undefined ? undefined : chooseEffort(request, capabilities));
  return [
    { member: 'reasoning', value: undefined },
    ...(effort === undefined ? [] : [{ member: 'reasoning_effort', value: effort }]),
  ];
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
  return {
    edits: [
      { member: 'model', value: profile.model },
      ...editStreamOptions(body, request, profile),
      ...editOutputCap(body, profile.capMember),
      ...editReasoning(body, request, profile),
      ...editMessages(body, profile.origin),
    ],
    headers: {},
    tap: () => createTap(request, profile),
  };
}
