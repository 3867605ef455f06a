import { isObject } from '../../../core/api/codec.ts';
import type { Edit } from '../edits.ts';

const lacksReasoning = (message: unknown): boolean =>
  isObject(message) &&
  message['role'] === 'assistant' &&
  Array.isArray(message['tool_calls']) &&
  message['tool_calls'].length > 0 &&
  (message['reasoning_content'] ?? '') === '';

/**
 * Models that think refuse a conversation in which calls come without the reasoning before them. Where it was lost, for
 * instance because another model made the calls, a space is the shortest text that they accept.
 */
export const fillReasoning: Edit = ({ messages }, { lose }) => {
  if (!Array.isArray(messages) || !messages.some(lacksReasoning)) return [];
  lose('messages', 'injected', 'this provider needs reasoning before tool calls, so a space is sent in its place');
  return [
    {
      member: 'messages',
      value: messages.map((message: unknown) =>
        isObject(message) && lacksReasoning(message) ? { ...message, reasoning_content: ' ' } : message,
      ),
    },
  ];
};

const hasName = (message: unknown): boolean =>
  isObject(message) && message['role'] !== 'tool' && message['name'] !== undefined;

/** `messages[].name` is refused. The name of a tool result only repeats that of its call, and is removed as well. */
export const removeNames: Edit = ({ messages }, { lose }) => {
  if (!Array.isArray(messages)) return [];
  const named = messages.some((message) => isObject(message) && message['name'] !== undefined);
  if (!named) return [];
  if (messages.some(hasName)) lose('messages[].name', 'dropped', 'this provider has no such member');
  return [
    {
      member: 'messages',
      value: messages.map((message: unknown) => {
        if (!isObject(message)) return message;
        const { name: _name, ...rest } = message;
        return rest;
      }),
    },
  ];
};
