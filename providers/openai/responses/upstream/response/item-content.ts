import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, lookUp, type Lose, readObjects, readText } from '../../../../../core/api/codec.ts';
import { readArguments } from '../../../chat-completions/upstream/response/message.ts';
import { joinNamespace } from '../../namespaces.ts';
import { readReasoningText } from '../../reasoning-text.ts';

/** A call of a function or a custom tool, as an output item. */
interface CallHead {
  readonly kind: 'function' | 'custom';
  /** Empty when the vendor sent none. */
  readonly id: string;
  readonly name: string;
}

export const readCallHead = (item: Readonly<JsonObject>): CallHead => ({
  kind: item['type'] === 'custom_tool_call' ? 'custom' : 'function',
  id: readText(item['call_id']) || readText(item['id']),
  name: joinNamespace(readText(item['namespace']), readText(item['name'])),
});

export const readCallInput = (item: Readonly<JsonObject>): string => readArguments(item['arguments'] ?? item['input']);

const kinds: Readonly<Record<string, 'text' | 'refusal'>> = { output_text: 'text', text: 'text', refusal: 'refusal' };

/** Text or refusal; `undefined` for any other type of content. */
export const slotKindOf = (content: Readonly<JsonObject>): 'text' | 'refusal' | undefined =>
  lookUp(kinds, readText(content['type']));

/** The text of a content part. */
export const readContentText = (content: Readonly<JsonObject>): string =>
  readText(content['type'] === 'refusal' ? content['refusal'] : content['text']);

/** `content` of a message. Some servers write a string instead of a list. */
export const listContent = (content: unknown): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'output_text', text: content }] : readObjects(content);

export const isCall = ({ type }: Readonly<JsonObject>): boolean =>
  type === 'function_call' || type === 'custom_tool_call';

/** Reports the members of output items that the canonical form does not have, each once per response. */
export function createLossReporter(lose: Lose): (item: Readonly<JsonObject>) => void {
  const reported = new Set<string>();
  const report = (field: string, detail: string) => {
    if (!reported.has(field)) lose(field, 'dropped', detail);
    reported.add(field);
  };
  return (item) => {
    if (item['type'] === 'message' && readText(item['phase']) !== '')
      report('output.phase', 'the phase of a message is not translated');
    if (item['type'] === 'function_call' && isObject(item['caller']))
      report('output.caller', 'the caller of a tool is not translated');
    if (isCall(item) && item['async'] === true)
      report('output.async', 'that a call runs asynchronously is not translated');
  };
}

/** `output_text`: the texts of all messages. Clients of this gateway rely on it; OpenAI's API leaves it to the SDK. */
export const readOutputText = ({ output }: Readonly<JsonObject>): string =>
  readObjects(output)
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => listContent(content))
    .map((content) => (slotKindOf(content) === 'text' ? readContentText(content) : ''))
    .join('');

const isShown = (content: JsonObject): boolean => slotKindOf(content) === undefined || readContentText(content) !== '';

/** Whether the item shows the client anything. */
export function showsSomething(item: JsonObject): boolean {
  if (item['type'] === 'message') return listContent(item['content']).some(isShown);
  return item['type'] !== 'reasoning' || readReasoningText(item) !== '' || readText(item['encrypted_content']) !== '';
}

/** Whether a plain response has neither content nor a status. */
export const isEmpty = ({ output, status }: Readonly<JsonObject>): boolean =>
  readText(status) === '' && !readObjects(output).some(showsSomething);
