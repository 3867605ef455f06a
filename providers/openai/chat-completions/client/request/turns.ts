import type { Part, Turn } from '../../../../../core/api/index.ts';
import { createImageLimit, lookUp, type Members, omitUndefined, readMembers } from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';
import { openCallId } from '../../sealed-ids.ts';
import { WIRE } from '../../shape.ts';
import { decodeAssistantParts } from './assistant.ts';
import type { MeasureImage } from './media.ts';
import { decodeContent, requireContent } from './parts.ts';

/** What the decoders of messages share. */
interface Conversation {
  readonly measureImage: MeasureImage;
  /** Ids given to calls of the deprecated `function_call`, by function name: its results have no id. */
  readonly legacyCalls: Map<string, string>;
}
type DecodeMessage = (message: Members, index: number, conversation: Conversation) => Pick<Turn, 'role' | 'parts'>;

const requiredContent = (message: Members, measureImage: MeasureImage): readonly Part[] => {
  requireContent(message, 'content');
  return decodeContent(message, 'content', measureImage);
};

const decodeToolResult: DecodeMessage = (message, _index, { measureImage }) => {
  const id = message.string('tool_call_id');
  if (id === undefined)
    throw invalidMember(message.at('tool_call_id'), 'is required: the id of the tool call that this message answers.');
  const name = message.string('name');
  return {
    role: 'user',
    parts: [
      omitUndefined({
        type: 'tool-result',
        id: openCallId(id).id,
        name,
        failed: false,
        parts: requiredContent(message, measureImage),
      }),
    ],
  };
};

const decodeFunctionResult: DecodeMessage = (message, index, { measureImage, legacyCalls }) => {
  const name = message.requiredString('name');
  const id = legacyCalls.get(name) ?? `call_legacy_${index}`;
  return {
    role: 'user',
    parts: [{ type: 'tool-result', id, name, failed: false, parts: decodeContent(message, 'content', measureImage) }],
  };
};

const decoders: Readonly<Record<string, DecodeMessage>> = {
  system: (message, _index, { measureImage }) => ({ role: 'system', parts: requiredContent(message, measureImage) }),
  developer: (message, _index, { measureImage }) => ({ role: 'system', parts: requiredContent(message, measureImage) }),
  user: (message, _index, { measureImage }) => ({ role: 'user', parts: requiredContent(message, measureImage) }),
  assistant: (message, index, { measureImage, legacyCalls }) => ({
    role: 'assistant',
    parts: decodeAssistantParts(message, index, measureImage, legacyCalls),
  }),
  tool: decodeToolResult,
  function: decodeFunctionResult,
};
const roles = Object.keys(decoders)
  .map((role) => `'${role}'`)
  .join(', ');

const decodeMessage = (value: unknown, index: number, conversation: Conversation): Turn => {
  const message = readMembers(value, `messages[${index}]`);
  const role = message.requiredString('role');
  const decode = lookUp(decoders, role);
  if (decode === undefined)
    throw invalidMember(message.at('role'), `must be one of ${roles}; it is '${role.slice(0, 40)}'.`);
  const turn = decode(message, index, conversation);
  const members = { ...(role === 'developer' ? { role } : {}), ...message.unread() };
  return Object.keys(members).length === 0 ? turn : { ...turn, extra: { wire: WIRE, members } };
};

/** One turn for each message. A tool result is a part of a user turn. */
export function decodeMessages(body: Members): { readonly turns: readonly Turn[]; readonly legacy: boolean } {
  const messages = body.array('messages');
  if (messages === undefined || messages.length === 0)
    throw invalidMember('messages', 'is required: an array with at least one message.');
  const conversation: Conversation = { measureImage: createImageLimit(), legacyCalls: new Map() };
  const turns = messages.map((message, index) => decodeMessage(message, index, conversation));
  return { turns, legacy: conversation.legacyCalls.size > 0 };
}
