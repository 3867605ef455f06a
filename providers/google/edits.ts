import type { EndpointWire, JsonObject } from '../../core/api/index.ts';
import { isObject, readObject, type BodyEdit, type Lose } from '../../core/api/codec.ts';
import { findInnerRequest, NO_SIGNATURE, readRepeated } from './generate-content/shape.ts';
import { isGemma, readGeneration } from './models.ts';

/** One deviation of a model from the wire. */
type Edit = (body: Readonly<JsonObject>, lose: Lose) => readonly BodyEdit[];

const configs = ['generationConfig', 'generation_config'] as const;
const penalties: ReadonlySet<string> = new Set([
  'presencePenalty',
  'frequencyPenalty',
  'presence_penalty',
  'frequency_penalty',
]);

/** Gemini 2.5 accepts penalties only on Vertex AI; the Gemini API rejects them. */
const dropPenalties: Edit = (body, lose) =>
  configs.flatMap((member) => {
    const config = body[member];
    if (!isObject(config)) return [];
    const refused = Object.keys(config).filter((name) => penalties.has(name) && config[name] !== null);
    if (refused.length === 0) return [];
    for (const name of refused) lose(`${member}.${name}`, 'dropped', 'the model rejects penalties');
    return [{ member, value: Object.fromEntries(Object.entries(config).filter(([name]) => !penalties.has(name))) }];
  });

const responseMembers = ['functionResponse', 'function_response'] as const;

const splitResult = (part: unknown): readonly [result: unknown, media: readonly unknown[]] => {
  const member = isObject(part) ? responseMembers.find((name) => isObject(part[name])) : undefined;
  if (!isObject(part) || member === undefined) return [part, []];
  const { parts, ...result } = part[member] as JsonObject;
  const media = readRepeated(parts);
  return media.length === 0 ? [part, []] : [{ ...part, [member]: result }, media];
};

/**
 * Before Gemini 3, a result cannot hold media. They are moved behind all results of the turn.
 * https://ai.google.dev/gemini-api/docs/function-calling#multimodal
 */
const moveResultMedia: Edit = (body, lose) => {
  let moved = false;
  const flat = readRepeated(body['contents']).map((content) => {
    if (!isObject(content)) return content;
    const split = readRepeated(content['parts']).map(splitResult);
    const media = split.flatMap(([, parts]) => parts);
    if (media.length === 0) return content;
    moved = true;
    const results = split.map(([part]) => part);
    const behind = results.findLastIndex((part) => isObject(part) && responseMembers.some((name) => name in part)) + 1;
    return { ...content, parts: [...results.slice(0, behind), ...media, ...results.slice(behind)] };
  });
  if (!moved) return [];
  lose(
    'contents.parts.functionResponse.parts',
    'approximated',
    'the model accepts no media inside a result: they were moved after it',
  );
  return [{ member: 'contents', value: flat }];
};

const isCall = (part: unknown): part is JsonObject =>
  isObject(part) && (isObject(part['functionCall']) || isObject(part['function_call']));
const isSigned = (part: JsonObject): boolean =>
  [part['thoughtSignature'], part['thought_signature']].some(
    (signature) => typeof signature === 'string' && signature !== '',
  );

/**
 * From Gemini 3 on, the first call of each step has a signature, and the calls parallel to it have none. Consecutive
 * model contents are one step. A call that another model made, or whose signature the client lost, gets the vendor's
 * placeholder. The whole history is edited, so that a turn that was sent once stays the same.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const addSignatures: Edit = (body, lose) => {
  let called = false;
  let added = false;
  const signed = readRepeated(body['contents']).map((content) => {
    if (!isObject(content) || content['role'] !== 'model') {
      called = false;
      return content;
    }
    const parts = readRepeated(content['parts']);
    const first = called ? -1 : parts.findIndex(isCall);
    called ||= first >= 0;
    const call = parts[first];
    if (!isCall(call) || isSigned(call)) return content;
    added = true;
    return { ...content, parts: parts.with(first, { ...call, thoughtSignature: NO_SIGNATURE }) };
  });
  if (!added) return [];
  lose('contents.thoughtSignature', 'injected', 'calls without a signature got the placeholder that the model accepts');
  return [{ member: 'contents', value: signed }];
};

const instructionMembers = ['systemInstruction', 'system_instruction'] as const;

const partsOf = (instruction: unknown): readonly unknown[] => {
  if (typeof instruction === 'string') return instruction === '' ? [] : [{ text: instruction }];
  return isObject(instruction) ? readRepeated(instruction['parts']) : [];
};

const isUser = (content: unknown): content is JsonObject => isObject(content) && content['role'] !== 'model';

/**
 * Gemma has no system instruction: its text is moved to the start of the first user turn.
 * https://ai.google.dev/gemma/docs/core/prompt-structure
 */
const moveInstruction: Edit = (body, lose) => {
  const member = instructionMembers.find((name) => body[name] !== undefined && body[name] !== null);
  if (member === undefined) return [];
  const parts = partsOf(body[member]);
  const contents = readRepeated(body['contents']);
  lose(member, 'approximated', 'the model accepts no system instruction: it was moved to the start of the first turn');
  const [first, ...others] = contents;
  const opened = isUser(first)
    ? [{ ...first, parts: [...parts, ...partsOf(first)] }, ...others]
    : [{ role: 'user', parts }, ...contents];
  return [{ member, value: undefined }, ...(parts.length === 0 ? [] : [{ member: 'contents', value: opened }])];
};

const selectEdit = (model: string, refusesPenalties: boolean): Edit | undefined => {
  if (isGemma(model)) return moveInstruction;
  const generation = readGeneration(model);
  if (generation === undefined) return undefined;
  if (generation >= 3) return addSignatures;
  return generation === 2.5 && refusesPenalties
    ? (body, lose) => [...dropPenalties(body, lose), ...moveResultMedia(body, lose)]
    : moveResultMedia;
};

/**
 * The deviations of a model. They are applied on both lanes, after all other edits.
 * @param refusesPenalties the server rejects penalties for Gemini 2.5: the Gemini API does, Vertex AI does not
 */
export function createEdits(model: string, refusesPenalties = true): Pick<EndpointWire, 'edits'> {
  const edit = selectEdit(model, refusesPenalties);
  return edit === undefined ? {} : { edits: (body, { lose }) => edit(body, lose) };
}

export const applyEdits = (body: Readonly<JsonObject>, edits: readonly BodyEdit[]): JsonObject => ({
  ...body,
  ...Object.fromEntries(edits.map(({ member, value }) => [member, value])),
});

/** The edits of a model for token counts, inside the nested request if there is one. */
export function createCountEdits(model: string): Pick<EndpointWire, 'edits'> {
  const { edits } = createEdits(model);
  if (edits === undefined) return {};
  return {
    edits: (body, context) => {
      const member = findInnerRequest(body);
      if (member === undefined) return edits(body, context);
      const inner = readObject(body[member]);
      const made = edits(inner, context);
      return made.length === 0 ? [] : [{ member, value: applyEdits(inner, made) }];
    },
  };
}
