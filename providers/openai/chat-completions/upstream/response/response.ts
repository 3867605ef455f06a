import type { Choice, Citation, GenerateResponse, JsonObject, Part } from '../../../../../core/api/index.ts';
import {
  emptyResponse,
  type ExtraMembers,
  isObject,
  type ReadContext,
  readObject,
  readObjects,
  readText,
  omitUndefined,
} from '../../../../../core/api/codec.ts';
import { readChoiceLogprobs } from '../../logprobs.ts';
import { readSources, sourceMembers } from '../../annotations.ts';
import { loseUnknownFinish, readFailedEnd, readFinish } from '../../finish.ts';
import { MESSAGE, WIRE, omitKnown } from '../../shape.ts';
import { createUsageReader } from '../../usage.ts';
import { decodeEmbeddedError, holdsError, requireBody } from './error.ts';
import { decodeMessage } from './message.ts';

/** The members of a choice that this codec reads. */
export const choiceMembers: ReadonlySet<string> = new Set([
  'index',
  'message',
  'delta',
  'finish_reason',
  'logprobs',
  'error',
]);
/** The members of a body, or of a chunk, that this codec reads. */
export const bodyMembers: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'service_tier',
  'error',
]);

const extraOf = (
  members: JsonObject,
  more: Pick<ExtraMembers, 'place' | 'honoured'>,
): { readonly extra?: ExtraMembers } =>
  Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members, ...more } };

/** Servers list the tokens of all texts together: the last text has them. */
const addLogprobs = (parts: readonly Part[], value: JsonObject): readonly Part[] => {
  const found = readChoiceLogprobs(value);
  const text = parts.findLast(({ type }) => type === 'text');
  return parts.map((part) => {
    const logprobs = part === text ? found.content : part.type === 'refusal' ? found.refusal : [];
    return logprobs.length > 0 && 'text' in part ? { ...part, logprobs } : part;
  });
};

const decodeChoice = (choice: JsonObject, position: number, context: ReadContext): Choice => {
  const reason = readText(choice['finish_reason']);
  const failure = holdsError(choice) ? decodeEmbeddedError(choice) : readFailedEnd(reason);
  if (failure !== undefined) throw failure;
  const { parts: read, extra } = decodeMessage(readObject(choice['message']), position, context);
  const parts = isObject(choice['logprobs']) ? addLogprobs(read, choice['logprobs']) : read;
  loseUnknownFinish(reason, position, context.lose);
  const finish = readFinish(reason, {
    calls: parts.some(({ type }) => type === 'tool-call'),
    refusal: parts.some(({ type }) => type === 'refusal'),
  });
  const inside = Object.entries(extra).map(([name, value]) => [MESSAGE + name, value] as const);
  const members = { ...omitKnown(choice, choiceMembers), ...Object.fromEntries(inside) };
  return { parts, finish, ...extraOf(members, { place: `choices[${position}].` }) };
};

/** Sources belong to the last text of the first choice, unless it has citations of its own. */
const cite = (choices: readonly Choice[], sources: readonly Citation[]): readonly Choice[] => {
  const [first, ...others] = choices;
  const text = first?.parts.findLast((part) => part.type === 'text');
  if (first === undefined || text === undefined || text.citations !== undefined || sources.length === 0) return choices;
  return [
    { ...first, parts: first.parts.map((part) => (part === text ? { ...text, citations: sources } : part)) },
    ...others,
  ];
};

/** `index` of an entry of `choices`; some servers leave it out. */
export const readIndex = ({ index }: Readonly<JsonObject>): number => (typeof index === 'number' ? index : 0);

/** @throws GatewayError the error that a 200 can hold, or `upstream_bad_response` */
export function decodeResponse(value: unknown, context: ReadContext): GenerateResponse {
  const body = requireBody(value);
  const listed = readObjects(body['choices']).toSorted((a, b) => readIndex(a) - readIndex(b));
  const choices = listed.map((choice, index) => decodeChoice(choice, index, context));
  if (!choices.some(({ parts, finish }) => parts.length > 0 || finish.vendor !== undefined)) throw emptyResponse();
  const sources = readSources(body);
  return omitUndefined({
    id: readText(body['id']) || undefined,
    model: readText(body['model']) || undefined,
    choices: cite(choices, sources),
    usage: createUsageReader()(body),
    ...extraOf(omitKnown(body, bodyMembers), sources.length > 0 ? { honoured: sourceMembers } : {}),
  });
}
