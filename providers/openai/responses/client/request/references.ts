import { defineReferences, type StoredReference } from '../../../../../core/api/codec.ts';
import { storedMembers } from '../../../chat-completions/client/request/references.ts';
import { readItemReference } from './item-references.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** What tools can refer to, those of the request and those that an item declares. */
const ofTools = {
  'container': isText,
  'container.file_ids': true,
  'vector_store_ids': true,
  'input_image_mask.file_id': true,
  'environment.container_id': true,
  'environment.file_ids': true,
  'environment.skills.skill_id': true,
} as const;
const at = (place: string): Parameters<typeof defineReferences>[0] =>
  Object.fromEntries(Object.entries(ofTools).map(([path, test]) => [`${place}.${path}`, test]));

/** The request for an approval can be an item of the same input. */
const readApproval = (id: unknown): StoredReference | boolean =>
  typeof id === 'string' && id !== '' && { id, without: 'complete' };

/**
 * Members that refer to something stored at the vendor:
 * https://platform.openai.com/docs/api-reference/responses/create
 */
export const references = defineReferences({
  ...storedMembers,
  'prompt': true,
  'input': readItemReference,
  'input.file_id': true,
  'input.container_id': true,
  'input.environment.container_id': true,
  'input.approval_request_id': readApproval,
  'input.content.file_id': true,
  'input.output.file_id': true,
  ...at('tools'),
  ...at('tools.tools'),
  ...at('input.tools'),
  ...at('input.tools.tools'),
});
