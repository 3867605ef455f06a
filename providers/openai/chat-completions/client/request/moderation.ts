import type { JsonObject, VendorOnly } from '../../../../../core/api/index.ts';
import { readMembers } from '../../../../../core/api/codec.ts';

const FIELD = 'moderation';

/**
 * `moderation` among the members of a request: an answer without it could be one that it was to block.
 * https://platform.openai.com/docs/guides/moderation
 */
export const listModeration = (members: JsonObject): readonly VendorOnly[] =>
  readMembers(members).rawObject(FIELD) === undefined ? [] : [{ field: FIELD, what: 'the moderation of its content' }];
