import { isObject, type BodyEdit, type GenerateRequest, type InboundRequest, type JsonObject, type NativePlan, type Origin, type TargetProfile } from '../../../../core/index.ts';
import { readObject } from '../shape.ts';
import { freeMessages } from './sealed-proofs.ts';
import { createTap } from './tap.ts';

const isSet = (body: Readonly<JsonObject>, member: string): boolean => body[member] !== undefined && body[member] !== null;

/** Usage is always asked for; the tap withholds the chunk where the client did not. */
const editStreamOptions = (body: Readonly<JsonObject>, { stream, includeUsage }: GenerateRequest): readonly BodyEdit[] =>
  stream && !includeUsage ? [{ member: 'stream_options', value: { ...readObject(body['stream_options']), include_usage: true } }] : [];

/** mission.md: `max_completion_tokens` counts only where `max_tokens` is not set. */
const editMaxTokens = (body: Readonly<JsonObject>): readonly BodyEdit[] =>
  isSet(body, 'max_tokens') && isSet(body, 'max_completion_tokens') ? [{ member: 'max_completion_tokens', value: undefined }] : [];

/** A budget as an effort, where the client gave no word: by its share of the answer. */
const OUTPUT_GUESS = 24_576;
const effortOfBudget = (budget: number, most: number): string => {
  if (budget === 0) return 'none';
  const share = budget / most;
  if (budget < 2_048 || share <= 0.15) return 'low';
  return share <= 0.45 ? 'medium' : 'high';
};

/** mission.md's `reasoning` object is no member of the vendor's: it becomes `reasoning_effort`. */
const editReasoning = (body: Readonly<JsonObject>, { reasoning, maxTokens = OUTPUT_GUESS }: GenerateRequest): readonly BodyEdit[] => {
  if (!isSet(body, 'reasoning')) return [];
  const effort = reasoning?.effort ?? (reasoning?.budget === undefined ? undefined : effortOfBudget(reasoning.budget, maxTokens));
  return [{ member: 'reasoning', value: undefined }, ...(effort === undefined ? [] : [{ member: 'reasoning_effort', value: effort }])];
};

/** Proofs that we sealed are opened for who made them and removed for anyone else; without one the messages stay as received. */
const editMessages = (body: Readonly<JsonObject>, origin: Origin): readonly BodyEdit[] => {
  const messages = freeMessages(body['messages'], origin);
  return messages === undefined ? [] : [{ member: 'messages', value: messages }];
};

/** The client's bytes with the least that must change. */
export const native = (inbound: InboundRequest, request: GenerateRequest, profile: TargetProfile): NativePlan | undefined => {
  // Reasoning that the client does not want may stand in the middle of the vendor's bytes.
  if (request.reasoning?.show === false) return undefined;
  const body = isObject(inbound.body) ? inbound.body : {};
  return {
    edits: [
      { member: 'model', value: profile.model },
      ...editStreamOptions(body, request),
      ...editMaxTokens(body),
      ...editReasoning(body, request),
      ...editMessages(body, profile.origin),
    ],
    headers: {},
    tap: () => createTap(request, profile.omitsFinish),
  };
};
