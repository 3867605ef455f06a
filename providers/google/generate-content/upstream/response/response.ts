import {
  emptyAnswer,
  foldEvents,
  isObject,
  type Choice,
  type Citation,
  type GenerateEvent,
  type GenerateResponse,
  type JsonObject,
  type Part,
  type ReadContext,
  type ExtraMembers,
} from '../../../../../core/index.ts';
import { WIRE } from '../../shape.ts';
import { createAnswerReader } from './answer.ts';
import type { LateCitation } from './candidate.ts';

const read = new Set(['candidates', 'usageMetadata', 'modelVersion', 'responseId']);

const extraOf = (members: Readonly<JsonObject>): { readonly extra?: ExtraMembers } =>
  Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } };

const cite = (part: Part, citations: readonly Citation[]): Part =>
  part.type !== 'text' || citations.length === 0
    ? part
    : { ...part, citations: [...(part.citations ?? []), ...citations] };

const complete = (choice: Choice, extra: Readonly<JsonObject>, late: readonly LateCitation[]): Choice => ({
  ...choice,
  parts: choice.parts.map((part, index) =>
    cite(
      part,
      late.filter((citation) => citation.part === index).map(({ citation }) => citation),
    ),
  ),
  ...extraOf(extra),
});

/** The answer that is read as a stream of one chunk, with what a stream cannot carry. An array holds the chunks of a stream without SSE. */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  const chunks = (Array.isArray(body) ? body : [body]).filter(isObject);
  const reader = createAnswerReader(context);
  const events: GenerateEvent[] = [];
  const emit = (event: GenerateEvent): void => void events.push(event);
  for (const chunk of chunks) {
    const error = reader.read(chunk, emit);
    if (error !== undefined) throw error;
  }
  if (!reader.produced) throw emptyAnswer();
  const late = reader.end(emit);
  const response = foldEvents(events);
  const indices = [...reader.candidates.keys()].sort((a, b) => a - b);
  const choices = response.choices.map((choice, position) => {
    const index = indices[position] ?? 0;
    return complete(choice, reader.candidates.get(index)?.extra ?? {}, late.get(index) ?? []);
  });
  const members = Object.fromEntries(
    chunks.flatMap((chunk) => Object.entries(chunk).filter(([name, value]) => !read.has(name) && value !== null)),
  );
  return { ...response, choices, ...extraOf(members) };
}
