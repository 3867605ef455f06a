import { invalidRequest, type Part } from '../../../../../core/api/index.ts';
import {
  isObject,
  lookUp,
  type Members,
  omitUndefined,
  readList,
  readMembers,
  readObjects,
  readText,
  unsealProof,
} from '../../../../../core/api/codec.ts';
import { isContentType, isNestedStep } from '../../shape.ts';
import { readOpaqueStep } from '../../web-search.ts';
import { decodeContent, decodeContents, type DecodedPart, type MeasureImage } from './content.ts';
import type { Conversation } from './conversation.ts';

/** What reading the steps of one request needs. */
export interface StepReading {
  readonly conversation: Conversation;
  readonly measure: MeasureImage;
}

type ReadStep = (step: Members, reading: StepReading) => void;

/** The summaries of a thought follow each other without a break: the model writes the breaks. */
const readSummary = (step: Members): string =>
  readObjects(step.value('summary'))
    .map(({ text }) => readText(text))
    .join('');

/** A thought that has neither text nor proof says nothing. */
const readThought: ReadStep = (step, { conversation }) => {
  const text = readSummary(step);
  const signature = step.string('signature') ?? '';
  if (text === '' && signature === '') return;
  const proof = signature === '' ? undefined : unsealProof(signature);
  const part: Part = omitUndefined({
    type: 'reasoning',
    text,
    redacted: proof?.redacted === true ? true : undefined,
    proof,
  });
  conversation.add('model', { part, extra: step.unread() });
};

/** Older models sign their calls. */
const readCall: ReadStep = (step, { conversation }) => {
  const signature = step.string('signature') ?? '';
  const part: Part = {
    type: 'tool-call',
    id: step.requiredString('id'),
    name: step.requiredString('name'),
    kind: 'function',
    input: JSON.stringify(step.rawObject('arguments') ?? {}),
    ...(signature === '' ? {} : { proof: unsealProof(signature) }),
  };
  conversation.add('model', { part, extra: step.unread() });
};

/** A result is a text, an object, or content. */
const readResultParts = (step: Members, measure: MeasureImage): readonly Part[] => {
  const found = step.value('result');
  if (found === undefined)
    throw invalidRequest(step.at('result'), `'${step.at('result')}' is required: a text, an object or content.`);
  if (isObject(found)) return [{ type: 'text', text: JSON.stringify(found) }];
  return decodeContents(step, 'result', measure).map(({ part }) => part);
};

const readResult: ReadStep = (step, { conversation, measure }) => {
  const part: Part = omitUndefined({
    type: 'tool-result',
    id: step.requiredString('call_id'),
    name: step.string('name'),
    failed: step.boolean('is_error') ?? false,
    parts: readResultParts(step, measure),
  });
  conversation.add('results', { part, extra: step.unread() });
};

const readOutput: ReadStep = (step, { conversation, measure }) =>
  conversation.add('model', ...decodeContents(step, 'content', measure));

const isResult = (value: unknown): boolean => isObject(value) && isNestedStep(readText(value['type']));

/** Content of the user in which results stand. */
const readMixed = (items: readonly unknown[], path: string, reading: StepReading): void => {
  for (const [index, value] of items.entries()) {
    const at = `${path}[${index}]`;
    if (isResult(value)) readItem(value, at, reading);
    else reading.conversation.add('content', decodeContent(value, at, reading.measure));
  }
};

const readInput: ReadStep = (step, reading) => {
  const { conversation, measure } = reading;
  const items = readList(step.value('content'));
  if (items.some(isResult)) return readMixed(items, step.at('content'), reading);
  const parts = decodeContents(step, 'content', measure);
  return conversation.addTurn(parts.length === 0 ? [{ part: { type: 'text', text: '' }, extra: {} }] : parts);
};

/** https://ai.google.dev/api/interactions-api */
const readers: Readonly<Record<string, ReadStep>> = {
  user_input: readInput,
  model_output: readOutput,
  thought: readThought,
  function_call: readCall,
  function_result: readResult,
};

/** A turn of the first version of the wire: `{role, content}`. */
const readTurn: ReadStep = (turn, reading) =>
  turn.oneOf('role', ['user', 'model']) === 'model' ? readOutput(turn, reading) : readInput(turn, reading);

/**
 * Reads one item of the input: a step, or loose content of the user. Steps of tools that ran at the vendor, and unknown
 * ones, stay opaque.
 * @throws GatewayError 400 that names the member
 */
export function readItem(value: unknown, path: string, reading: StepReading): void {
  const step = readMembers(value, path);
  if (!step.has('type')) {
    if (!step.has('role')) throw invalidRequest(step.at('type'), `'${step.at('type')}' is required.`);
    return readTurn(step, reading);
  }
  const type = step.requiredString('type');
  const { conversation, measure } = reading;
  if (isContentType(type)) return conversation.add('content', decodeContent(value, path, measure));
  const read = lookUp(readers, type);
  if (read !== undefined) return read(step, reading);
  const opaque: DecodedPart = { part: readOpaqueStep(isObject(value) ? value : {}), extra: {} };
  return conversation.add('model', opaque);
}
