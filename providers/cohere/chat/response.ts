import type { Citation, GenerateResponse, JsonObject, Part } from '../../../core/api/index.ts';
import {
  emptyResponse,
  isObject,
  malformedBody,
  omitUndefined,
  readList,
  readObject,
  readObjects,
  readText,
  type ReadContext,
} from '../../../core/api/codec.ts';
import { hasNoArguments } from '../../../core/api/internal.ts';
import { isOfText, readCitation } from './citations.ts';
import { readFailedEnd, readFinish } from './finish.ts';
import { readPiece } from './logprobs.ts';
import { WIRE } from './shape.ts';
import { readUsage } from './usage.ts';

const readCall = (call: Readonly<JsonObject>, index: number, { turn }: ReadContext): Part => {
  const { name, arguments: value } = readObject(call['function']);
  const input = isObject(value) ? JSON.stringify(value) : readText(value);
  return {
    type: 'tool-call',
    kind: 'function',
    id: readText(call['id']) || `call_${turn}_${index}`,
    name: readText(name),
    input: hasNoArguments(input) ? '{}' : input,
  };
};

/** The citations of one block. Without an index they belong to the only text. */
const citationsAt = (citations: readonly JsonObject[], index: number, isOnlyText: boolean): readonly Citation[] =>
  citations
    .filter((citation) => isOfText(citation) && (isOnlyText || (citation['content_index'] ?? 0) === index))
    .flatMap((citation) => readCitation(citation) ?? []);

const readContent = (content: unknown, citations: readonly JsonObject[]): readonly Part[] => {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : readList(content).filter(isObject);
  const isOnlyText = blocks.filter(({ type }) => type === 'text').length === 1;
  return blocks.flatMap((block: Readonly<JsonObject>, index): readonly Part[] => {
    const [text, thinking] = [readText(block['text']), readText(block['thinking'])];
    if (block['type'] === 'thinking') return thinking === '' ? [] : [{ type: 'reasoning', text: thinking }];
    if (block['type'] !== 'text') return [{ type: 'opaque', wire: WIRE, value: block }];
    const cited = citationsAt(citations, index, isOnlyText);
    return text === '' ? [] : [{ type: 'text', text, ...(cited.length === 0 ? {} : { citations: cited }) }];
  });
};

/** The vendor lists the pieces of all texts together: the last text has them. */
const addLogprobs = (parts: readonly Part[], pieces: unknown): readonly Part[] => {
  const logprobs = readObjects(pieces).flatMap(readPiece);
  const text = parts.findLast(({ type }) => type === 'text');
  return logprobs.length === 0 ? parts : parts.map((part) => (part === text ? { ...text, logprobs } : part));
};

/** The plan of the model is what it says before it calls tools. */
export function decodeResponse(body: unknown, context: ReadContext): GenerateResponse {
  if (!isObject(body)) throw malformedBody('is not a JSON object');
  const { id, message: value, usage: figures } = body;
  const reason = readText(body['finish_reason']);
  const failed = readFailedEnd(reason);
  if (failed !== undefined) throw failed;
  if (!isObject(value)) throw reason === '' ? emptyResponse() : malformedBody('has no message');
  const [plan, calls] = [readText(value['tool_plan']), readObjects(value['tool_calls'])];
  const parts: readonly Part[] = [
    ...addLogprobs(readContent(value['content'], readObjects(value['citations'])), body['logprobs']),
    ...(plan === '' ? [] : [{ type: 'text', text: plan } as const]),
    ...calls.map((call, index) => readCall(call, index, context)),
  ];
  if (parts.length === 0 && reason === '') throw emptyResponse();
  return omitUndefined({
    id: readText(id) || undefined,
    choices: [{ parts, finish: readFinish(reason, calls.length > 0, context.lose) }],
    usage: readUsage(figures),
  });
}
