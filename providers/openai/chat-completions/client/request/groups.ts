import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject, type ExtraMembers } from '../../../../../core/api/codec.ts';

/** Members of requests, on both wires, that group settings. */
const known: ReadonlySet<string> = new Set([
  'access_programs',
  'image',
  'prompt_cache_options',
  'reasoning',
  'stream_options',
  'text',
  'web_search_options',
]);

/** The extra members whose settings are reported one by one on another wire: `reasoning.mode`. */
export function listGroups(members: Readonly<JsonObject>): Pick<ExtraMembers, 'groups'> {
  const groups = Object.keys(members).filter((name) => known.has(name) && isObject(members[name]));
  return groups.length === 0 ? {} : { groups };
}
