import {
  type BodyEdit,
  chooseEffort,
  type GenerateRequest,
  type InboundRequest,
  isObject,
  type JsonObject,
  type NativePlan,
  type Origin,
  readObject,
  type TargetProfile,
} from '../../../../core/index.ts';
import { editOutputCap } from '../output-cap.ts';

import { openMessageProofs } from './request/sealed-proofs.ts';
import { createTap } from './response/tap.ts';

/** Usage is always asked for; the tap withholds the chunk where the client did not. */
const editStreamOptions = (
  body: Readonly<JsonObject>,
  { stream, includeUsage }: GenerateRequest,
): readonly BodyEdit[] =>
  stream && !includeUsage
    ? [{ member: 'stream_options', value: { ...readObject(body['stream_options']), include_usage: true } }]
    : [];

/**
 * mission.md's `reasoning` object is no member of the vendor's: it becomes `reasoning_effort`. An effort stays as the
 * client gave it.
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

/**
 * Proofs that we sealed are opened for who made them and removed for anyone else; without one the messages stay as
 * received.
 */
const editMessages = (body: Readonly<JsonObject>, origin: Origin): readonly BodyEdit[] => {
  const messages = openMessageProofs(body['messages'], origin);
  return messages === undefined ? [] : [{ member: 'messages', value: messages }];
};

/** The client's bytes with the least that must change. */
export function native(
  inbound: InboundRequest,
  request: GenerateRequest,
  profile: TargetProfile,
): NativePlan | undefined {
  // Reasoning that the client does not want may stand in the middle of the vendor's bytes.
  if (request.reasoning?.show === false) return undefined;
  const body = isObject(inbound.body) ? inbound.body : {};
  return {
    edits: [
      { member: 'model', value: profile.model },
      ...editStreamOptions(body, request),
      ...editOutputCap(body, profile.capMember),
      ...editReasoning(body, request, profile),
      ...editMessages(body, profile.origin),
    ],
    headers: {},
    tap: () => createTap(request, profile.omitsFinish),
  };
}
