import { defineReferences, isObject } from '../../../../../core/api/codec.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** An item that refers to one of an earlier response. Its type can be left out. */
const isItemReference = (item: unknown): boolean =>
  isObject(item) &&
  (item['type'] === 'item_reference' ||
    ((item['type'] ?? undefined) === undefined && isText(item['id']) && item['content'] === undefined));

/**
 * Members that refer to something stored at the vendor:
 * https://platform.openai.com/docs/api-reference/responses/create
 */
export const references = defineReferences({
  'previous_response_id': true,
  'conversation': true,
  'prompt': true,
  'input': isItemReference,
  'input.file_id': true,
  'input.container_id': true,
  'input.content.file_id': true,
  'input.output.file_id': true,
  'tools.container': isText,
  'tools.container.file_ids': true,
  'tools.vector_store_ids': true,
  'tools.input_image_mask.file_id': true,
  'tools.environment.container_id': true,
  'tools.environment.file_ids': true,
  'tools.environment.skills.skill_id': true,
  'tool_resources': true,
  'thread': true,
  'thread_id': true,
  'assistant_id': true,
  'batch_id': true,
  'container': true,
  'container_id': true,
  'file_ids': true,
  'vector_store_ids': true,
});
