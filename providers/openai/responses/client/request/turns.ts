import type { Turn } from '../../../../../core/api/index.ts';
import { createImageLimit, isObject, lookUp, readMembers, type Members } from '../../../../../core/api/codec.ts';
import { invalidMember } from '../../../request-members.ts';
import { WIRE } from '../../shape.ts';
import { Conversation } from './conversation.ts';
import { clientItemReaders } from './client-items.ts';
import { type ItemReader, itemReaders, type ReadItem, readMessage, readOpaque } from './items.ts';

interface DecodedInput extends Pick<ItemReader, 'references' | 'updates' | 'vendorOnly'> {
  readonly turns: readonly Turn[];
}

/** The type of an item. Without one, `{role, content}` is a message and `{id}` a reference. */
const typeOf = (item: Members): string =>
  item.string('type') ?? (item.has('role') || !item.has('id') ? 'message' : 'item_reference');

const findReader = (type: string, item: Members): ReadItem =>
  lookUp(itemReaders, type) ?? lookUp(clientItemReaders, type) ?? (item.has('type') ? readOpaque : readMessage);

const readItem = (value: unknown, path: string, reader: ItemReader): void => {
  const item = readMembers(value, path);
  const type = typeOf(item);
  if (!isObject(value)) return;
  if (type === 'item_reference') {
    reader.references.push(path);
    reader.conversation.addAside({ type: 'opaque', wire: WIRE, value: { ...value, type } });
  } else findReader(type, item)(item, reader, value);
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
      updates: {},
      vendorOnly: [],
    };
  const items = body.array('input') ?? [];
  if (items.length === 0 && !optional)
    throw invalidMember('input', 'is required: a text, or an array with at least one item.');
  const conversation = new Conversation();
  const reader: ItemReader = {
    measureImage: createImageLimit(),
    conversation,
    updates: {},
    references: [],
    vendorOnly: [],
  };
  items.forEach((value, index) => readItem(value, `input[${index}]`, reader));
  const { references, updates, vendorOnly } = reader;
  return { turns: [...leading, ...conversation.close()], references, updates, vendorOnly };
}
