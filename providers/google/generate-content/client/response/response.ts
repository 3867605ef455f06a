import type { Choice, GenerateResponse, JsonObject, Part } from '../../../../../core/api/index.ts';
import { writeExtraMembers, type WriteContext } from '../../../../../core/api/codec.ts';
import { ReasoningCarrier } from '../../carried-reasoning.ts';
import { readBlockedPrompt, writeFinish } from '../../finish.ts';
import { WIRE, type WirePart } from '../../shape.ts';
import { MeanLogprob, writeLogprobs } from '../../logprobs.ts';
import { writeUsage } from '../../usage.ts';
import { readQueries } from '../../web-search.ts';
import { encodeCitations, type CitedText } from './citations.ts';
import { encodePart } from './parts.ts';

/** Every response of this wire has an id and a model. */
export const composeHead = (
  { id, model }: Pick<GenerateResponse, 'id' | 'model'>,
  newId: WriteContext['newId'],
): JsonObject => ({
  modelVersion: model === undefined || model === '' ? 'unknown' : model,
  responseId: id === undefined || id === '' ? newId('') : id,
});

/** The SDK's chat drops a turn without a part, and the user's turn with it. */
export const EMPTY_PARTS: readonly WirePart[] = [{ text: '' }];

/** Whether the client wants to see thoughts. Clients of other wires do by default. */
export const showsThoughts = ({ request }: WriteContext): boolean => request.reasoning?.show !== false;

/** Some vendors send log probabilities without being asked. */
const encodeLogprobs = (parts: readonly Part[], { request }: WriteContext): JsonObject => {
  if (request.logprobs === undefined) return {};
  const tokens = parts.flatMap((part) => ('logprobs' in part ? (part.logprobs ?? []) : []));
  const mean = new MeanLogprob();
  mean.add(tokens);
  return { ...mean.write(), ...writeLogprobs(tokens) };
};

const encodeCandidate = ({ parts, finish, extra }: Choice, index: number, context: WriteContext): JsonObject => {
  const options = { lose: context.lose, show: showsThoughts(context), carrier: new ReasoningCarrier() };
  const written: WirePart[] = [];
  const cited: CitedText[] = [];
  const queries: string[] = [];
  for (const part of parts) {
    if (part.type === 'text' && part.citations !== undefined)
      cited.push({ text: part.text, citations: part.citations, partIndex: written.length, offset: 0 });
    queries.push(...(readQueries(part) ?? []));
    written.push(...encodePart(part, options));
  }
  const members = writeExtraMembers(extra, WIRE, context.lose, `candidates[${index}].`);
  const isCited = 'groundingMetadata' in members || 'citationMetadata' in members;
  return {
    content: { role: 'model', parts: written.length === 0 ? EMPTY_PARTS : written },
    ...writeFinish(finish),
    index,
    ...encodeLogprobs(parts, context),
    ...(isCited ? {} : encodeCitations(cited, queries, context.lose)),
    ...members,
  };
};

/** A blocked prompt has no candidate: the vendor's `promptFeedback` says why. */
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
