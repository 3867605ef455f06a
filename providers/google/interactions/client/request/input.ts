import { invalidRequest, type Turn } from '../../../../../core/api/index.ts';
import { createImageLimit, isObject, type Members } from '../../../../../core/api/codec.ts';
import { Conversation } from './conversation.ts';
import { readItem } from './steps.ts';

const decodeSystem = (body: Members): readonly Turn[] => {
  const text = body.string('system_instruction') ?? '';
  return text === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }];
};

/**
 * `system_instruction` and `input` as turns. The input is a text, content, or steps.
 * https://ai.google.dev/api/interactions-api
 * @param optional the vendor has a conversation that the request continues
 * @throws GatewayError 400; image limits apply to all images of the request together
 */
export function decodeInput(body: Members, optional: boolean): readonly Turn[] {
  const leading = decodeSystem(body);
  const input = body.value('input');
  if (typeof input === 'string')
    return [...leading, { role: 'user', parts: input === '' ? [] : [{ type: 'text', text: input }] }];
  const items = isObject(input) ? [input] : (input ?? []);
  if (!Array.isArray(items)) throw invalidRequest('input', "'input' must be a text, content, or a list of steps.");
  if (items.length === 0 && !optional)
    throw invalidRequest('input', "'input' is required: a text, content, or a list of steps.");
  const conversation = new Conversation();
  const measure = createImageLimit();
  items.forEach((value, index) =>
    readItem(value, isObject(input) ? 'input' : `input[${index}]`, { conversation, measure }),
  );
  return [...leading, ...conversation.close()];
}
