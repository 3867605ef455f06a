import type { Json } from '../../../matrix/wires.ts';
import { listOf } from '../conversation.ts';
import { findUnknown, membersOf } from './sdk-members.ts';

const known = membersOf('openai/resources/chat/completions/completions.d.ts', 'ChatCompletionCreateParamsBase');
const parts = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal']);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const findToolFault = (tool: Json): string | undefined => {
  if (tool['type'] === 'custom') return undefined;
  if (tool['type'] !== 'function') return `unknown type of tool: ${String(tool['type'])}`;
  const { name } = tool['function'] as Json;
  return NAME.test(String(name)) ? undefined : `invalid name of a function: ${String(name)}`;
};

const findMessageFault = ({ role, content, tool_calls: calls }: Json): string | undefined => {
  if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(String(role)))
    return `unknown role ${String(role)}`;
  const part = listOf(content).find(({ type }) => !parts.has(String(type)));
  if (part !== undefined) return `unknown type of content: ${String(part['type'])}`;
  if (role === 'tool' && listOf(content).some(({ type }) => type !== 'text')) return 'a tool message has only text';
  if (Array.isArray(content) && content.length === 0) return `the content of ${String(role)} is empty`;
  return role === 'assistant' || typeof content === 'string' || Array.isArray(content) || calls !== undefined
    ? undefined
    : `${String(role)} has no content`;
};

/** Each call is answered directly after the message that has it, and each result has its call there. */
const findPairFault = (messages: readonly Json[]): string | undefined => {
  let open = new Set<unknown>();
  for (const { role, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') {
      if (!open.delete(id)) return `no call before the result ${String(id)}`;
    } else {
      if (open.size > 0) return `no result for the calls ${[...open].join()}`;
      open = new Set(listOf(calls).map((call) => call['id']));
    }
  }
  return open.size > 0 ? 'the last calls have no results' : undefined;
};

/** Why OpenAI would refuse a chat-completions request. */
export const findChatFault = (body: Json): string | undefined => {
  const unknown = findUnknown(body, known);
  if (unknown !== undefined) return `unknown parameter: ${unknown}`;
  const messages = listOf(body['messages']);
  if (messages.length === 0) return 'no messages';
  for (const each of messages) {
    const fault = findMessageFault(each);
    if (fault !== undefined) return fault;
  }
  for (const each of listOf(body['tools'])) {
    const fault = findToolFault(each);
    if (fault !== undefined) return fault;
  }
  return findPairFault(messages);
};
