import {
  type GenerateRequest,
  isObject,
  type JsonObject,
  type Lose,
  omitUndefined,
  type Part,
  readText,
  type ReasoningPart,
  type ToolCallPart,
  type Turn,
  writeExtraMembers,
} from '../../../../../core/index.ts';
import { splitToolName } from '../../namespaces.ts';
import { WIRE } from '../../shape.ts';
import { writeCallId } from './call-ids.ts';
import { encodeContent, type ContentPlace } from './parts.ts';
import { encodeResult } from './tool-results.ts';

/** Content has types of its own; everything else that only this wire knows is an item. */
const CONTENT_TYPE = /^(?:input|output)_|^text$/;
const isItem = (part: Part): boolean =>
  part.type === 'opaque' &&
  part.wire === WIRE &&
  !(isObject(part.value) && CONTENT_TYPE.test(readText(part.value['type'])));
const isContent = (part: Part): boolean =>
  !isItem(part) && part.type !== 'reasoning' && part.type !== 'tool-call' && part.type !== 'tool-result';

/** Without a proof, reasoning is of use only where it came from: elsewhere the vendor would ask for an id that it knows. */
const encodeReasoning = (
  { text, proof }: ReasoningPart,
  request: GenerateRequest,
  { path, lose }: ContentPlace,
): JsonObject | undefined => {
  if (proof === undefined && request.wire !== WIRE) {
    lose(`${path}.reasoning`, 'dropped', 'reasoning without a proof cannot be given back');
    return undefined;
  }
  return omitUndefined({
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content: proof === undefined ? undefined : proof.value,
  });
};

const encodeCall = (
  { id, name, kind, input, proof }: ToolCallPart,
  request: GenerateRequest,
  { path, lose }: ContentPlace,
): JsonObject => {
  if (proof !== undefined) lose(`${path}.signature`, 'dropped', 'responses has no signature on calls');
  const { name: own, namespace } = splitToolName(request, name);
  const place = namespace === undefined ? {} : { namespace };
  const callId = writeCallId(id, request.wire);
  return kind === 'custom'
    ? { type: 'custom_tool_call', call_id: callId, name: own, ...place, input }
    : { type: 'function_call', call_id: callId, name: own, ...place, arguments: input === '' ? '{}' : input };
};

interface Writer {
  readonly request: GenerateRequest;
  /** Calls of free-text tools: their results are written otherwise. */
  readonly custom: ReadonlySet<string>;
}

/** What stands as an item of its own. */
const encodeItem = (part: Part, { request, custom }: Writer, place: ContentPlace): JsonObject | undefined => {
  if (part.cache !== undefined && part.type !== 'opaque')
    place.lose(`${place.path}.cache`, 'dropped', 'responses has cache marks on content only');
  switch (part.type) {
    case 'reasoning':
      return encodeReasoning(part, request, place);
    case 'tool-call':
      return encodeCall(part, request, place);
    case 'tool-result':
      return encodeResult(part, { custom: custom.has(part.id), callId: writeCallId(part.id, request.wire) }, place);
    case 'opaque':
      return isObject(part.value) ? part.value : undefined;
    default:
      return undefined;
  }
};

/** What a turn kept of its own wire. Chat's word for its system messages is the one that is written here anyway. */
export function encodeKept({ role, extra }: Turn, { path, lose }: ContentPlace): Readonly<JsonObject> {
  if (extra === undefined || extra.wire === WIRE || role !== 'system')
    return writeExtraMembers(extra, WIRE, lose, `${path}.`);
  const { role: _role, ...members } = extra.members;
  return writeExtraMembers({ ...extra, members }, WIRE, lose, `${path}.`);
}

/** Results stand directly behind the calls they answer, whatever another wire lets stand before them. */
const leadWithResults = ({ role, parts }: Turn, wire: string): readonly Part[] => {
  if (role !== 'user' || wire === WIRE || parts.every(({ type }) => type !== 'tool-result')) return parts;
  return [...parts.filter(({ type }) => type === 'tool-result'), ...parts.filter(({ type }) => type !== 'tool-result')];
};

/** A turn with its parts in their order: what is said in a row is one message, and everything else stands between messages. */
const encodeTurn = (turn: Turn, writer: Writer, place: ContentPlace): readonly JsonObject[] => {
  const { role } = turn;
  const parts = leadWithResults(turn, writer.request.wire);
  const own = encodeKept(turn, place);
  const items: JsonObject[] = [];
  let said: Part[] = [];
  const flush = () => {
    const content = encodeContent(said, role, place);
    const spoken = role === 'system' && writer.request.wire !== WIRE ? 'developer' : role;
    if (content.length > 0) items.push({ type: 'message', role: spoken, content, ...own });
    said = [];
  };
  for (const part of parts) {
    if (isContent(part)) {
      said.push(part);
      continue;
    }
    flush();
    const item = encodeItem(part, writer, place);
    if (item !== undefined) items.push(item);
  }
  flush();
  return parts.length === 0 && role === 'user' ? [{ type: 'message', role, content: '', ...own }] : items;
};

/** Images that an assistant made follow in a message of the user: its own messages hold text only. */
const moveMedia = (turn: Turn, { path, lose }: ContentPlace): readonly Turn[] => {
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

/** The conversation as items: ids and states, which only their vendor can give, are not made up. */
export function encodeTurns(turns: readonly Turn[], request: GenerateRequest, lose: Lose): readonly JsonObject[] {
  const writer = { request, custom: listCustomCalls(turns) };
  // Losses name a turn by its place in the whole conversation; instructions are written elsewhere.
  const first = request.turns.length - turns.length;
  return turns.flatMap((turn, index) => {
    const place = { path: `input[${first + index}]`, lose };
    return moveMedia(turn, place).flatMap((moved) => encodeTurn(moved, writer, place));
  });
}
