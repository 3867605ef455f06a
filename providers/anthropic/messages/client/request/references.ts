import { defineReferences, isObject } from '../../../../../core/api/codec.ts';

/**
 * A thread: the conversation that the vendor holds between requests. Creating one is refused too, because it could not
 * be continued.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads
 */
export const THREAD = 'thread';

/** Skills of an account. The vendor's own skills are open to every account. */
const isOwnSkill = (skill: unknown): boolean => isObject(skill) && skill['type'] === 'custom';

/**
 * What a request can refer to at the vendor: files, containers and threads.
 * https://platform.claude.com/docs/en/build-with-claude/files
 */
export const references = defineReferences({
  [THREAD]: isObject,
  'container': (value) => typeof value === 'string' && value !== '',
  'container.id': true,
  'container.skills': isOwnSkill,
  'messages.content.file_id': true,
  'messages.content.source.file_id': true,
  'messages.content.source.content.source.file_id': true,
  'messages.content.content.file_id': true,
  'messages.content.content.source.file_id': true,
  'messages.content.content.source.content.source.file_id': true,
});
