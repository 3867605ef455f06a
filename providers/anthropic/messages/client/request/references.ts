import { defineReferences, isObject, type StoredReference } from '../../../../../core/api/codec.ts';

/**
 * A thread: the conversation that the vendor holds between requests. Each message of it can be continued.
 * https://platform.claude.com/docs/en/build-with-claude/message-threads
 */
export const THREAD = 'thread';

const readThread = (thread: unknown): boolean | { readonly id: string | undefined } => {
  if (!isObject(thread)) return false;
  if (thread['type'] === 'create') return { id: undefined };
  const id = thread['previous_message_id'];
  return typeof id === 'string' && id !== '' ? { id } : true;
};

/** Skills of an account. The vendor's own skills are open to every account. */
const isOwnSkill = (skill: unknown): boolean => isObject(skill) && skill['type'] === 'custom';

/**
 * An earlier message with whose request the vendor compares this one. The response shows where they differ.
 * https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics
 */
const readCompared = (id: unknown): StoredReference | boolean =>
  typeof id === 'string' && id !== '' && { id, without: 'usable' };

/**
 * What a request can refer to at the vendor: files, containers, threads and messages.
 * https://platform.claude.com/docs/en/build-with-claude/files
 */
export const references = defineReferences({
  [THREAD]: readThread,
  'diagnostics.previous_message_id': readCompared,
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
