import type { Choice, Citation, GenerateResponse, JsonObject, Part } from '../../../../../core/api/index.ts';
import {
  emptyResponse,
  EventWriter,
  foldEvents,
  isObject,
  type GenerateEvent,
  type ReadContext,
  type ExtraMembers,
} from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';
import type { LateCitation } from './candidate-reader.ts';
import { ResponseReader } from './response-reader.ts';

const extraOf = (members: Readonly<JsonObject>, place = ''): { readonly extra?: ExtraMembers } =>
  Object.keys(members).length === 0
    ? {}
    : { extra: { wire: WIRE, members, ...(place === '' ? {} : { place, partial: citedMembers }) } };

/** Members of a candidate that are carried as citations. */
export const citedMembers: readonly string[] = ['groundingMetadata', 'citationMetadata'];

const addCitations = (part: Part, citations: readonly Citation[]): Part =>
  part.type !== 'text' || citations.length === 0
    ? part
    : { ...part, citations: [...(part.citations ?? []), ...citations] };

const completeChoice = (
  choice: Choice,
  index: number,
  extra: Readonly<JsonObject>,
  late: readonly LateCitation[],
): Choice => ({
  ...choice,
  parts: choice.parts.map((part, index) =>
    addCitations(
      part,
      late.filter((citation) => citation.part === index).map(({ citation }) => citation),
    ),
  ),
  ...extraOf(extra, `candidates[${index}].`),
});

/**
 * Reads a plain response as a stream of one chunk, and adds what stream events cannot hold. An array holds the chunks
 * of a stream without SSE.
 */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  const chunks = (Array.isArray(body) ? body : [body]).filter(isObject);
  const events: GenerateEvent[] = [];
  const reader = new ResponseReader(context, new EventWriter((event) => events.push(event)));
  for (const chunk of chunks) reader.read(chunk);
  if (!reader.produced) throw emptyResponse();
  const late = reader.end();
  const response = foldEvents(events);
  const indices = [...reader.candidates.keys()].sort((a, b) => a - b);
  const choices = response.choices.map((choice, position) => {
    const index = indices[position] ?? 0;
    return completeChoice(choice, index, reader.candidates.get(index)?.extra ?? {}, late.get(index) ?? []);
  });
  return { ...response, choices, ...extraOf(reader.extra) };
}
