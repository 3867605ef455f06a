import { isObject, type BodyEdit, type JsonObject } from '../../core/index.ts';

/**
 * `max_tokens` is refused by every reasoning model, `max_completion_tokens` is taken by all models:
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-max_completion_tokens
 */
const editMaxTokens = (body: Readonly<JsonObject>): readonly BodyEdit[] => {
  const value = body['max_tokens'];
  if (value === undefined || value === null) return [];
  return [
    { member: 'max_tokens', value: undefined },
    { member: 'max_completion_tokens', value },
  ];
};

/** Members of an assistant message that hold reasoning. OpenAI neither writes nor takes them on this wire. */
const foreign = ['reasoning', 'reasoning_content', 'reasoning_details'] as const;

const isForeignCall = (call: unknown): boolean => isObject(call) && 'extra_content' in call;
const holdsForeign = (message: unknown): message is JsonObject => {
  if (!isObject(message) || message['role'] !== 'assistant') return false;
  const calls = message['tool_calls'];
  return foreign.some((member) => member in message) || (Array.isArray(calls) && calls.some(isForeignCall));
};

const cleanCall = (call: unknown): unknown => {
  if (!isObject(call)) return call;
  const { extra_content: _extra, ...others } = call;
  return others;
};
const cleanMessage = (message: unknown): unknown => {
  if (!holdsForeign(message)) return message;
  const { reasoning: _reasoning, reasoning_content: _content, reasoning_details: _details, tool_calls: calls, ...others } = message;
  return Array.isArray(calls) ? { ...others, tool_calls: calls.map(cleanCall) } : others;
};

/** Clients give back the reasoning that other providers showed them. */
const editMessages = (body: Readonly<JsonObject>): readonly BodyEdit[] => {
  const { messages } = body;
  return Array.isArray(messages) && messages.some(holdsForeign) ? [{ member: 'messages', value: messages.map(cleanMessage) }] : [];
};

/** Families that refuse function tools on this wire while they reason, and can be told not to. */
const toolsWithoutReasoning = ['gpt-5.4', 'gpt-5.5', 'gpt-5.6'] as const;

const editEffort = (body: Readonly<JsonObject>): readonly BodyEdit[] => {
  const { tools, reasoning_effort: effort } = body;
  return Array.isArray(tools) && tools.length > 0 && effort !== 'none' ? [{ member: 'reasoning_effort', value: 'none' }] : [];
};

/** The deviations of OpenAI's models from the wire that it defined: on both lanes, after everything else. */
export const createChatEdits = (model: string): ((body: Readonly<JsonObject>) => readonly BodyEdit[]) => {
  const silent = toolsWithoutReasoning.some((prefix) => model.startsWith(prefix));
  return (body) => [...editMaxTokens(body), ...editMessages(body), ...(silent ? editEffort(body) : [])];
};
