import type {
  GenerateRequest,
  JsonObject,
  Part,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../../../../../core/api/index.ts';
import { isObject, type Lose, omitUndefined, readText, writeExtraMembers } from '../../../../../core/api/codec.ts';
import { writeCallInput } from '../../../chat-completions/upstream/request/calls.ts';
import { readKeptItem } from '../../client-tools.ts';
import { placePart } from '../../../content-places.ts';
import { splitToolName } from '../../namespaces.ts';
import { WIRE } from '../../shape.ts';
import { encodeContent, type PartContext } from './parts.ts';
import { shortenCallId } from '../../../shorten.ts';

const MAX_LENGTH = 64;

/** The id of a call within the vendor's limit. A client of this wire gets the vendor's error instead. */
const writeCallId = (id: string, wire: string): string => (wire === WIRE ? id : shortenCallId(id, MAX_LENGTH));

/** Types of content parts. An opaque part of any other type is an item. */
const CONTENT_TYPE = /^(?:input|output)_|^text$/;
const isItem = (part: Part): boolean =>
  part.type === 'opaque' &&
  part.wire === WIRE &&
  !(isObject(part.value) && CONTENT_TYPE.test(readText(part.value['type'])));
const isContent = (part: Part): boolean =>
  !isItem(part) && part.type !== 'reasoning' && part.type !== 'tool-call' && part.type !== 'tool-result';

/** Reasoning without a proof is written for clients of this wire only: for others the vendor would require an id. */
const encodeReasoning = (
  { text, proof }: ReasoningPart,
  request: GenerateRequest,
  { path, lose }: PartContext,
): JsonObject | undefined => {
  if (proof === undefined && request.wire !== WIRE) {
    lose(`${path}.reasoning`, 'dropped', 'reasoning without a proof cannot be sent back');
    return undefined;
  }
  return omitUndefined({
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content: proof === undefined ? undefined : proof.value,
  });
};

const encodeCall = (
  { id, name, kind, input, extra, proof }: ToolCallPart,
  request: GenerateRequest,
  { path, lose }: PartContext,
): JsonObject => {
  if (proof !== undefined) lose(`${path}.signature`, 'dropped', 'responses has no signature on calls');
  const { name: own, namespace } = splitToolName(request, name);
  const context = namespace === undefined ? {} : { namespace };
  const callId = writeCallId(id, request.wire);
  const members = writeExtraMembers(extra, WIRE, lose, `${path}.`);
  if (kind === 'custom') return { type: 'custom_tool_call', call_id: callId, name: own, ...context, input, ...members };
  const written = writeCallInput(input, `${path}.input`, request.wire === WIRE, lose);
  return { type: 'function_call', call_id: callId, name: own, ...context, arguments: written, ...members };
};

const FAILED = 'Error: ';

const isPlain = (content: readonly JsonObject[]): boolean =>
  content.length === 1 && content[0]?.['type'] === 'input_text' && Object.keys(content[0]).length === 2;

/** A single text is written as a string, which every server of this wire takes. */
const encodeOutput = ({ parts, failed }: ToolResultPart, context: PartContext): unknown => {
  const content = encodeContent(parts, 'user', context);
  const output = failed ? [{ type: 'input_text', text: FAILED }, ...content] : content;
  if (content.length === 0) return failed ? FAILED.trim() : '';
  if (!isPlain(content)) return output;
  return output.map((part) => part['text']).join('');
};

/** @param call the call: whether it was of a custom tool, and its id */
function encodeResult(
  result: ToolResultPart,
  { custom, callId }: { readonly custom: boolean; readonly callId: string },
  context: PartContext,
): JsonObject {
  if (result.failed)
    context.lose(
      `${context.path}.failed`,
      'approximated',
      `outputs have no flag for failure; the text begins with '${FAILED.trim()}'`,
    );
  return {
    type: custom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: callId,
    output: encodeOutput(result, context),
  };
}

interface Writer {
  readonly request: GenerateRequest;
  /** Ids of custom tool calls: their results have another type. */
  readonly custom: ReadonlySet<string>;
}

/** A part that is an item of its own. */
const encodeItem = (
  part: Part,
  turn: Turn,
  { request, custom }: Writer,
  context: PartContext,
): JsonObject | undefined => {
  const kept = readKeptItem(part);
  if (kept !== undefined) return kept;
  if (part.cache !== undefined && part.type !== 'opaque')
    context.lose(`${context.path}.cache`, 'dropped', 'responses has cache marks on content only');
  switch (part.type) {
    case 'reasoning':
      return encodeReasoning(part, request, context);
    case 'tool-call':
      return encodeCall(part, request, context);
    case 'tool-result':
      return encodeResult(
        part,
        { custom: custom.has(part.id), callId: writeCallId(part.id, request.wire) },
        part.failed ? { ...context, path: placePart(part, { path: context.path, parts: turn.parts }) } : context,
      );
    case 'opaque':
      return isObject(part.value) ? part.value : undefined;
    default:
      return undefined;
  }
};

/** The extra members of a turn. The role of a system turn of another wire is dropped: it is written here anyway. */
export function encodeTurnExtra({ role, extra }: Turn, { path, lose }: PartContext): Readonly<JsonObject> {
  if (extra === undefined || extra.wire === WIRE || role !== 'system')
    return writeExtraMembers(extra, WIRE, lose, `${path}.`);
  const { role: _role, ...members } = extra.members;
  return writeExtraMembers({ ...extra, members }, WIRE, lose, `${path}.`);
}

/** Results have to follow their calls directly; other wires allow parts between them. */
const leadWithResults = ({ role, parts }: Turn, wire: string): readonly Part[] => {
  if (role !== 'user' || wire === WIRE || parts.every(({ type }) => type !== 'tool-result')) return parts;
  return [...parts.filter(({ type }) => type === 'tool-result'), ...parts.filter(({ type }) => type !== 'tool-result')];
};

/** Neighbouring content parts are one message; other parts are items between messages. */
const encodeTurn = (turn: Turn, writer: Writer, context: PartContext): readonly JsonObject[] => {
  const { role } = turn;
  const parts = leadWithResults(turn, writer.request.wire);
  const own = encodeTurnExtra(turn, context);
  const items: JsonObject[] = [];
  let pending: Part[] = [];
  const flush = () => {
    const content = encodeContent(pending, role, context);
    const written = role === 'system' && writer.request.wire !== WIRE ? 'developer' : role;
    if (content.length > 0) items.push({ type: 'message', role: written, content, ...own });
    pending = [];
  };
  for (const part of parts) {
    if (isContent(part)) {
      pending.push(part);
      continue;
    }
    flush();
    const item = encodeItem(part, turn, writer, context);
    if (item !== undefined) items.push(item);
  }
  flush();
  return parts.length === 0 && role === 'user' ? [{ type: 'message', role, content: '', ...own }] : items;
};

/** Media of an assistant follow in a user message: assistant messages hold text only. */
const moveMedia = (turn: Turn, { path, lose }: PartContext): readonly Turn[] => {
  const media = turn.role === 'assistant' ? turn.parts.filter(({ type }) => type === 'media') : [];
  if (media.length === 0) return [turn];
  lose(`${path}.content`, 'approximated', 'an assistant message holds no media; it follows in a user message');
  return [
    { ...turn, parts: turn.parts.filter(({ type }) => type !== 'media') },
    { role: 'user', parts: media },
  ];
};

const listCustomCalls = (turns: readonly Turn[]): ReadonlySet<string> =>
  new Set(
    turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-call' && part.kind === 'custom' ? [part.id] : [])),
    ),
  );

/** The conversation as items, without ids and states: only the vendor assigns them. */
export function encodeTurns(turns: readonly Turn[], request: GenerateRequest, lose: Lose): readonly JsonObject[] {
  const writer = { request, custom: listCustomCalls(turns) };
  // Loss reports count turns from the start of the conversation, including the instructions.
  const first = request.turns.length - turns.length;
  return turns.flatMap((turn, index) => {
    const context = { path: `input[${first + index}]`, lose, parts: turn.parts };
    return moveMedia(turn, context).flatMap((moved) => encodeTurn(moved, writer, context));
  });
}
