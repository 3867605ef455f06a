import type {
  GenerateRequest,
  JsonObject,
  Part,
  ToolCallPart,
  Turn,
  VendorOnly,
} from '../../../../../core/api/index.ts';
import { isObject, lookUp, readText, unsealProof, type Members } from '../../../../../core/api/codec.ts';
import type { MeasureImage } from '../../../chat-completions/client/request/media.ts';
import { invalidMember, readArguments } from '../../../request-members.ts';
import { readCompactionItem } from '../../compaction-item.ts';
import { joinNamespace } from '../../namespaces.ts';
import { readReasoningText } from '../../reasoning-text.ts';
import { WIRE } from '../../shape.ts';
import type { Conversation } from './conversation.ts';
import { readItemReference } from './item-references.ts';
import { decodeText } from './output-format.ts';
import { decodeContent } from './parts.ts';
import { decodeReasoning } from './reasoning.ts';

/** Settings of the response that follows the conversation. Each replaces that of the request. */
export type Updates = { -readonly [K in 'reasoning' | 'output' | 'verbosity']?: GenerateRequest[K] };

/** What the readers of items share. */
export interface ItemReader {
  readonly measureImage: MeasureImage;
  readonly conversation: Conversation;
  /** Settings that items change. */
  readonly updates: Updates;
  /** Paths of items that refer to something stored at the vendor. */
  readonly references: string[];
  readonly vendorOnly: VendorOnly[];
}
export type ReadItem = (item: Members, reader: ItemReader, value: JsonObject) => void;

/** Reads the id and status that the vendor gave an item, which no target needs. */
const skipIdentity = (item: Members): void => {
  item.value('id');
  item.value('status');
  item.value('type');
};

const roles: Readonly<Record<string, Turn['role']>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
};

export const readMessage: ReadItem = (item, { measureImage, conversation }) => {
  const name = item.requiredString('role');
  const role = lookUp(roles, name);
  if (role === undefined)
    throw invalidMember(item.at('role'), "must be one of 'user', 'assistant', 'system', 'developer'.");
  const parts = decodeContent(item, 'content', measureImage);
  skipIdentity(item);
  const members = { ...(name === 'developer' ? { role: name } : {}), ...item.unread() };
  if (role === 'assistant') conversation.addMessage(parts, members);
  else conversation.addTurn({ role, parts }, members);
};

/** Reasoning with neither text nor proof is left out: only its id at the vendor remains. */
const readReasoning: ReadItem = (item, { conversation }, value) => {
  item.array('summary');
  item.array('content');
  const blob = item.string('encrypted_content') ?? '';
  const proof = blob === '' ? undefined : unsealProof(blob);
  const text = readReasoningText(value);
  if (text === '' && proof === undefined) return;
  conversation.addStep({
    type: 'reasoning',
    text,
    ...(proof?.redacted === true ? { redacted: true } : {}),
    ...(proof === undefined ? {} : { proof }),
  });
};

/** Some older clients kept only the item's id. */
const readCallId = (item: Members): string => {
  const id = item.string('call_id') ?? '';
  const own = id === '' ? (item.string('id') ?? '') : id;
  if (own === '') throw invalidMember(item.at('call_id'), 'is required.');
  return own;
};
const readName = (item: Members): string => joinNamespace(item.string('namespace') ?? '', item.requiredString('name'));

/** The call was made by a program that runs at the vendor; without that program it has no meaning. */
export const isOfProgram = ({ caller }: JsonObject): boolean => isObject(caller) && caller['type'] === 'program';

/** `direct` is what every call is that no program made; `async` is false by default. */
const readCallMembers = (item: Members, { caller, async: isAsync }: JsonObject): Pick<ToolCallPart, 'extra'> => {
  skipIdentity(item);
  if (isObject(caller) && caller['type'] === 'direct') item.value('caller');
  if (isAsync === false) item.value('async');
  const members = item.unread();
  return Object.keys(members).length === 0 ? {} : { extra: { wire: WIRE, members } };
};

const readCall =
  (kind: 'function' | 'custom', member: string): ReadItem =>
  (item, { conversation }, value) => {
    if (isOfProgram(value)) return conversation.addStep({ type: 'opaque', wire: WIRE, value });
    const call = { id: readCallId(item), name: readName(item), kind, input: readArguments(item, member) };
    return conversation.addStep({ type: 'tool-call', ...call, ...readCallMembers(item, value) });
  };

/** The status `incomplete` is the closest this wire has to a failed call. */
const readResult: ReadItem = (item, { measureImage, conversation }, value) => {
  const id = item.string('call_id') ?? '';
  const name = item.string('name');
  if (id === '' && name === undefined)
    throw invalidMember(item.at('call_id'), 'is required: the call that this output answers.');
  const parts = decodeContent(item, 'output', measureImage);
  if (id === '' || isOfProgram(value)) return conversation.addResult({ type: 'opaque', wire: WIRE, value });
  const shown = name === undefined ? {} : { name: joinNamespace(item.string('namespace') ?? '', name) };
  return conversation.addResult({
    type: 'tool-result',
    id,
    ...shown,
    failed: item.string('status') === 'incomplete',
    parts,
  });
};

/** A message between agents of Codex, such as the task of a subagent or its result. The text names both. */
const readAgentMessage: ReadItem = (item, { measureImage, conversation }) => {
  const parts = decodeContent(item, 'content', measureImage);
  skipIdentity(item);
  item.value('author');
  item.value('recipient');
  conversation.addTurn({ role: 'user', parts }, item.unread());
};

/**
 * Any other item. A call that ran at the vendor is a step of the assistant; the rest stays behind the item before it.
 */
export const readOpaque: ReadItem = (item, { conversation, references }, value) => {
  const type = item.requiredString('type');
  const reference = readItemReference(value);
  if (isObject(reference) && reference.without === undefined) references.push(item.path);
  const part: Part = { type: 'opaque', wire: WIRE, value };
  if (/_call$|^mcp_list_tools$|^mcp_approval_request$|^program$|^compaction$/.test(type)) conversation.addStep(part);
  else conversation.addAside(part);
};

/**
 * A `configuration_update`: its settings are in effect until a later one changes them. Only those at the end of the
 * conversation matter, so it is no part of a turn; members that are not known stay where they are.
 * https://platform.openai.com/docs/guides/compaction
 */
const readUpdate: ReadItem = (item, { conversation, updates }) => {
  const { reasoning, extra: otherReasoning } = decodeReasoning(item);
  const { extra: otherText, hasFormat, output, verbosity } = decodeText(item);
  const instructions = item.string('instructions') ?? '';
  const type = item.string('type');
  item.value('id');
  if (reasoning !== undefined) updates.reasoning = { ...updates.reasoning, ...reasoning };
  if (hasFormat) updates.output = output;
  if (verbosity !== undefined) updates.verbosity = verbosity;
  if (instructions !== '') conversation.addTurn({ role: 'system', parts: [{ type: 'text', text: instructions }] }, {});
  const others = { ...item.unread(), ...otherReasoning, ...otherText };
  if (Object.keys(others).length > 0) conversation.addAside({ type: 'opaque', wire: WIRE, value: { type, ...others } });
};

/** Items that have a canonical form. */
export const itemReaders: Readonly<Record<string, ReadItem>> = {
  message: readMessage,
  agent_message: readAgentMessage,
  reasoning: readReasoning,
  function_call: readCall('function', 'arguments'),
  custom_tool_call: readCall('custom', 'input'),
  function_call_output: readResult,
  custom_tool_call_output: readResult,
  configuration_update: readUpdate,
  compaction: (item, reader, value) => {
    const text = readCompactionItem(value);
    if (text === undefined) return readOpaque(item, reader, value);
    skipIdentity(item);
    item.value('encrypted_content');
    return reader.conversation.addTurn({ role: 'user', parts: [{ type: 'text', text }] }, item.unread());
  },
  compaction_trigger: (item, { conversation, vendorOnly }, value) => {
    vendorOnly.push({ field: item.path, what: `a compaction of the conversation ('${readText(value['type'])}')` });
    conversation.addAside({ type: 'opaque', wire: WIRE, value });
  },
};
