import { defineReferences, isObject } from '../../../../../core/index.ts';

/** Skills that an account has made; those of the vendor are everybody's. */
const isOwnSkill = (skill: unknown): boolean => isObject(skill) && skill['type'] === 'custom';

/** What requests name that is kept at the vendor: files and containers. https://platform.claude.com/docs/en/build-with-claude/files */
export const references = defineReferences({
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
