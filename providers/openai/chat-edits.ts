import { isObject, type BodyEdit, type JsonObject } from '../../core/index.ts';
import { isReasoning } from './models.ts';

/**
 * `max_tokens` is refused by models that reason, and only there does it get its newer name: what other models take stays as the client wrote it.
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

const none: readonly BodyEdit[] = [];

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

/**
 * Families that refuse function tools on this wire while they reason, and can be told not to: from 5.6 on also when no effort was asked for,
 * because they reason by default.
 */
const toolsWithoutReasoning = { asked: ['gpt-5.4', 'gpt-5.5'], always: ['gpt-5.6'] } as const;

const editEffort = (body: Readonly<JsonObject>, when: keyof typeof toolsWithoutReasoning): readonly BodyEdit[] => {
  const { tools, reasoning_effort: effort } = body;
  const asked = typeof effort === 'string' ? effort !== 'none' : when === 'always';
  return asked && Array.isArray(tools) && tools.length > 0 ? [{ member: 'reasoning_effort', value: 'none' }] : none;
};

const selectSilence = (model: string): keyof typeof toolsWithoutReasoning | undefined => {
  if (toolsWithoutReasoning.always.some((prefix) => model.startsWith(prefix))) return 'always';
  return toolsWithoutReasoning.asked.some((prefix) => model.startsWith(prefix)) ? 'asked' : undefined;
};

/** The deviations of OpenAI's models from the wire that it defined: on both lanes, after everything else. */
export const createChatEdits = (model: string): ((body: Readonly<JsonObject>) => readonly BodyEdit[]) => {
  const silence = selectSilence(model);
  const reasons = isReasoning(model);
  return (body) => [...(reasons ? editMaxTokens(body) : none), ...editMessages(body), ...(silence === undefined ? none : editEffort(body, silence))];
};
