import {
  writeExtraMembers,
  type Choice,
  type GenerateResponse,
  type JsonObject,
  type WriteContext,
} from '../../../../../core/index.ts';
import { readBlockedPrompt, writeFinish } from '../../finish-reason.ts';
import { WIRE, type WirePart } from '../../shape.ts';
import { writeUsage } from '../../usage.ts';
import { encodeCitations, type CitedText } from './citations.ts';
import { encodePart } from './parts.ts';

/** Every answer has an id and a model on this wire, known or not. */
export const composeHead = (
  { id, model }: Pick<GenerateResponse, 'id' | 'model'>,
  newId: WriteContext['newId'],
): JsonObject => ({
  modelVersion: model === undefined || model === '' ? 'unknown' : model,
  responseId: id === undefined || id === '' ? newId('') : id,
});

/** An answer without a part makes the SDK's chat forget the turn, and the question with it. */
export const EMPTY_PARTS: readonly WirePart[] = [{ text: '' }];

/** Thoughts are shown unless the client said otherwise, as one of this wire does that asks for none. */
export const showsThoughts = ({ request }: WriteContext): boolean => request.reasoning?.show !== false;

const encodeCandidate = ({ parts, finish, extra }: Choice, index: number, context: WriteContext): JsonObject => {
  const answer = { lose: context.lose, show: showsThoughts(context) };
  const written: WirePart[] = [];
  const cited: CitedText[] = [];
  for (const part of parts) {
    if (part.type === 'text' && part.citations !== undefined)
      cited.push({ text: part.text, citations: part.citations, partIndex: written.length, offset: 0 });
    written.push(...encodePart(part, answer));
  }
  const members = writeExtraMembers(extra, WIRE, context.lose, `candidates[${index}].`);
  const isCited = 'groundingMetadata' in members || 'citationMetadata' in members;
  return {
    content: { role: 'model', parts: written.length === 0 ? EMPTY_PARTS : written },
    ...writeFinish(finish),
    index,
    ...(isCited ? {} : encodeCitations(cited, context.lose)),
    ...members,
  };
};

/** A prompt that was blocked has no candidate: `promptFeedback`, which this wire's own vendor wrote, says all. */
const isBlocked = (choices: readonly Choice[], members: Readonly<JsonObject>): boolean =>
  readBlockedPrompt(members['promptFeedback']) !== undefined && choices.every(({ parts }) => parts.length === 0);

/** https://ai.google.dev/api/generate-content#generatecontentresponse */
export function encodeResponse(response: GenerateResponse, context: WriteContext): JsonObject {
  const members = writeExtraMembers(response.extra, WIRE, context.lose);
  return {
    ...(isBlocked(response.choices, members)
      ? {}
      : { candidates: response.choices.map((choice, index) => encodeCandidate(choice, index, context)) }),
    ...(response.usage === undefined ? {} : { usageMetadata: writeUsage(response.usage) }),
    ...composeHead(response, context.newId),
    ...members,
  };
}
