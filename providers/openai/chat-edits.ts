import type { JsonObject, EndpointWire } from '../../core/api/index.ts';
import { isObject, type BodyEdit, type Lose } from '../../core/api/codec.ts';
import { canTurnReasoningOff, isReasoning, selectRefusal } from './models.ts';

const none: readonly BodyEdit[] = [];

/** Members of an assistant message that hold reasoning. OpenAI does not have them on this wire. */
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
  const {
    reasoning: _reasoning,
    reasoning_content: _content,
    reasoning_details: _details,
    tool_calls: calls,
    ...others
  } = message;
  return Array.isArray(calls) ? { ...others, tool_calls: calls.map(cleanCall) } : others;
};

/** Removes the reasoning of other providers, which clients send back. */
const editMessages = (body: Readonly<JsonObject>, lose: Lose): readonly BodyEdit[] => {
  const { messages } = body;
  if (!Array.isArray(messages) || !messages.some(holdsForeign)) return none;
  lose('messages.reasoning', 'dropped', 'OpenAI accepts no earlier reasoning over chat-completions');
  return [{ member: 'messages', value: messages.map(cleanMessage) }];
};

const OFF = 'none';

/**
 * Turns reasoning off where the model refuses it together with tools. Only a target whose wire is pinned to chat gets
 * such a request; else it is sent over responses, which takes both.
 */
const editEffort = (
  body: Readonly<JsonObject>,
  refuses: (effort: string | undefined) => boolean,
  lose: Lose,
): readonly BodyEdit[] => {
  const { tools, reasoning_effort: effort } = body;
  if (!Array.isArray(tools) || tools.length === 0 || !refuses(typeof effort === 'string' ? effort : undefined))
    return none;
  lose(
    'reasoning_effort',
    typeof effort === 'string' ? 'approximated' : 'injected',
    `'${OFF}': over chat-completions this model accepts tools only while it does not reason`,
  );
  return [{ member: 'reasoning_effort', value: OFF }];
};

/** How OpenAI's models differ from the chat wire: applied on both lanes, after all other edits. Losses are reported. */
export function createChatEdits(model: string): NonNullable<EndpointWire['edits']> {
  const refuses = canTurnReasoningOff(model) ? selectRefusal(model) : undefined;
  return (body, { lose }) => [
    ...editMessages(body, lose),
    ...(refuses === undefined ? none : editEffort(body, refuses, lose)),
  ];
}

/**
 * Models that reason refuse `max_tokens`. For other models the client's own member stays. None has the object
 * `reasoning` on this wire. https://platform.openai.com/docs/api-reference/chat/create
 */
export const chatMembers = (model: string): Pick<EndpointWire, 'capMember' | 'effortMember'> => ({
  ...(isReasoning(model) ? { capMember: 'max_completion_tokens' } : {}),
  effortMember: 'reasoning_effort',
});
