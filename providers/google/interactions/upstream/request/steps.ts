import type { JsonObject, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../../../../../core/api/index.ts';
import { isObject, omitUndefined, readText } from '../../../../../core/api/codec.ts';
import { parseCallInput } from '../../../../../core/api/internal.ts';
import { isStepType, WIRE } from '../../shape.ts';
import { encodeContents, type ContentContext } from './content.ts';

/** What encoding the steps of one request needs. */
export interface StepContext extends ContentContext {
  /** Function names by call id. */
  readonly names: ReadonlyMap<string, string>;
}

/** The vendor takes a thought back only with its signature. */
const encodeThought = ({ text, proof }: ReasoningPart, { path, wire, lose }: StepContext): readonly JsonObject[] => {
  if (proof === undefined && wire !== WIRE) {
    lose(`${path}.reasoning`, 'dropped', 'reasoning without a proof cannot be sent back');
    return [];
  }
  return [
    omitUndefined({
      type: 'thought',
      signature: proof?.value,
      summary: text === '' ? undefined : [{ type: 'text', text }],
    }),
  ];
};

/** A signed call follows a thought with its signature. */
const encodeCall = (call: ToolCallPart, { path, lose }: StepContext): readonly JsonObject[] => {
  const { id, name, kind, input, proof } = call;
  const args = kind === 'custom' ? { input } : parseCallInput(input, `${path}.input`, lose);
  return [
    ...(proof === undefined ? [] : [{ type: 'thought', signature: proof.value }]),
    { type: 'function_call', id, name, arguments: args },
  ];
};

/** A single text is written as such. */
const encodeResult = (result: ToolResultPart, context: StepContext): readonly JsonObject[] => {
  const { id, name = context.names.get(id), failed, parts } = result;
  const content = encodeContents(parts, context);
  const isText = content.every(({ type, annotations }) => type === 'text' && annotations === undefined);
  const text = content.map((part) => readText(part['text'])).join('\n');
  return [
    omitUndefined({
      type: 'function_result',
      call_id: id,
      name,
      result: isText ? text : content,
      is_error: failed ? true : undefined,
    }),
  ];
};

const isOwnStep = (part: Part): boolean =>
  part.type === 'opaque' && part.wire === WIRE && isObject(part.value) && isStepType(readText(part.value['type']));

/** The steps of a part that is no content; undefined: it is content, which belongs to a step with its neighbours. */
export function encodeStep(part: Part, context: StepContext): readonly JsonObject[] | undefined {
  switch (part.type) {
    case 'reasoning':
      return encodeThought(part, context);
    case 'tool-call':
      return encodeCall(part, context);
    case 'tool-result':
      return encodeResult(part, context);
    case 'opaque':
      return isOwnStep(part) && isObject(part.value) ? [part.value] : undefined;
    default:
      return undefined;
  }
}
