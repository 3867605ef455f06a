import type { JsonObject } from '../../../../core/api/index.ts';
import { isObject, type KeptReferences, readList, readText } from '../../../../core/api/codec.ts';

const isReference = (item: unknown): item is JsonObject =>
  isObject(item) &&
  (item['type'] === 'item_reference' ||
    (item['type'] === undefined && item['role'] === undefined && item['id'] !== undefined));

const itemsOf = (input: unknown): readonly unknown[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : readList(input);

const parseItems = (text: string): readonly unknown[] => JSON.parse(`[${text}]`) as readonly unknown[];

/**
 * References to earlier responses (`previous_response_id`) and their items (`item_reference`). The vendor resolves them
 * itself: https://platform.openai.com/docs/guides/conversation-state
 */
export const kept: KeptReferences = {
  items: true,
  find: ({ previous_response_id: previous, input }) => [
    ...(typeof previous === 'string' && previous !== '' ? [previous] : []),
    ...new Set(
      readList(input)
        .filter(isReference)
        .map(({ id }) => readText(id))
        .filter((id) => id !== ''),
    ),
  ],
  restore: ({ previous_response_id: previous, input }, found) => {
    const earlier = typeof previous === 'string' ? found.get(previous) : undefined;
    const own = itemsOf(input).map((item) => {
      const text = isReference(item) ? found.get(readText(item['id'])) : undefined;
      return text === undefined ? item : (JSON.parse(text) as unknown);
    });
    return earlier === undefined
      ? { input: own }
      : { previous_response_id: undefined, input: [...parseItems(earlier), ...own] };
  },
  input: ({ input }) => JSON.stringify(itemsOf(input)).slice(1, -1),
};
