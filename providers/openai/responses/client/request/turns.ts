import { invalidRequest, type Turn } from '../../../../../core/api/index.ts';
import { createImageLimit, isObject, lookUp, readMembers, type Members } from '../../../../../core/api/codec.ts';
import { WIRE } from '../../shape.ts';
import { Conversation } from './conversation.ts';
import { itemReaders, readMessage, readOpaque, type ItemReader } from './items.ts';

export interface DecodedInput {
  readonly turns: readonly Turn[];
  /** Paths of items that refer to something stored at the vendor. */
  readonly references: readonly string[];
}

/** The type of an item. Without one, `{role, content}` is a message and `{id}` a reference. */
const typeOf = (item: Members): string =>
  item.string('type') ?? (item.has('role') || !item.has('id') ? 'message' : 'item_reference');

const readItem = (value: unknown, path: string, reader: ItemReader): string => {
  const item = readMembers(value, path);
  const type = typeOf(item);
  if (!isObject(value)) return type;
  if (type === 'item_reference')
    reader.conversation.addAside({ type: 'opaque', wire: WIRE, value: { ...value, type } });
  else (lookUp(itemReaders, type) ?? (item.has('type') ? readOpaque : readMessage))(item, reader, value);
  return type;
};

const readItems = (items: readonly unknown[], conversation: Conversation): readonly string[] => {
  const reader: ItemReader = { measureImage: createImageLimit(), conversation };
  return items.flatMap((value, index) => {
    const path = `input[${index}]`;
    return readItem(value, path, reader) === 'item_reference' ? [path] : [];
  });
};

const decodeInstructions = (body: Members): readonly Turn[] => {
  const text = body.string('instructions') ?? '';
  return text === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }];
};

/**
 * `instructions` and `input` as turns: https://platform.openai.com/docs/api-reference/responses/create
 * @param optional the request refers to a stored conversation or prompt, so it needs no input of its own
 */
export function decodeInput(body: Members, optional: boolean): DecodedInput {
  const leading = decodeInstructions(body);
  const input = body.value('input');
  if (typeof input === 'string')
    return {
      turns: [...leading, { role: 'user', parts: input === '' ? [] : [{ type: 'text', text: input }] }],
      references: [],
    };
  const items = body.array('input') ?? [];
  if (items.length === 0 && !optional)
    throw invalidRequest('input', "'input' is required: a text, or an array with at least one item.");
  const conversation = new Conversation();
  const references = readItems(items, conversation);
  return { turns: [...leading, ...conversation.close()], references };
}
