import { isObject, type BodyEdit, type JsonObject, type Lose, type EndpointWire } from '../../core/index.ts';
import { canBeSilent } from './models.ts';
import { selectRefusal } from './tools-without-reasoning.ts';

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
  const {
    reasoning: _reasoning,
    reasoning_content: _content,
    reasoning_details: _details,
    tool_calls: calls,
    ...others
  } = message;
  return Array.isArray(calls) ? { ...others, tool_calls: calls.map(cleanCall) } : others;
};

/** Clients give back the reasoning that other providers showed them. */
const editMessages = (body: Readonly<JsonObject>, lose: Lose): readonly BodyEdit[] => {
  const { messages } = body;
  if (!Array.isArray(messages) || !messages.some(holdsForeign)) return none;
  lose('messages.reasoning', 'dropped', 'OpenAI takes no earlier reasoning over chat-completions');
  return [{ member: 'messages', value: messages.map(cleanMessage) }];
};

const OFF = 'none';

/** Only a target whose wire is pinned to chat comes here with both: elsewhere such a request is sent over responses, where nothing has to give way. */
const editEffort = (
  body: Readonly<JsonObject>,
  refuses: (effort: string | undefined) => boolean,
  lose: Lose,
): readonly BodyEdit[] => {
  const { tools, reasoning_effort: effort } = body;
  if (!Array.isArray(tools) || tools.length === 0 || !refuses(typeof effort === 'string' ? effort : undefined))
    return none;
  if (typeof effort === 'string')
    lose(
      'reasoning_effort',
      'approximated',
      `'${OFF}': over chat-completions this model takes tools only while it does not reason`,
    );
  else
    lose(
      'reasoning_effort',
      'injected',
      `'${OFF}': over chat-completions this model takes tools only while it does not reason`,
    );
  return [{ member: 'reasoning_effort', value: OFF }];
};

/** The deviations of OpenAI's models from the chat wire: on both lanes, after everything else. What the client wrote and does not get is named. */
export function createChatEdits(model: string): NonNullable<EndpointWire['edits']> {
  const refuses = canBeSilent(model) ? selectRefusal(model) : undefined;
  return (body, { lose }) => [
    ...editMessages(body, lose),
    ...(refuses === undefined ? none : editEffort(body, refuses, lose)),
  ];
}
