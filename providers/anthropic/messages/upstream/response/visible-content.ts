import { isObject, type JsonObject } from '../../../../../core/index.ts';

/** Blocks whose content comes in deltas; every other block is content by itself. */
const announcing = new Set<unknown>(['text', 'thinking']);
/** The members of a delta that show the client something. */
const deltaMembers = ['text', 'thinking', 'partial_json', 'signature', 'citation', 'content'] as const;

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Does a block show the client anything? */
export function hasVisibleContent(block: unknown): boolean {
  if (!isObject(block) || !announcing.has(block['type'])) return true;
  return isSet(block['text']) || isSet(block['thinking']) || isSet(block['signature']);
}

/** The members of a delta that are not empty. */
export const visibleMembers = (delta: JsonObject): readonly string[] =>
  deltaMembers.filter((member) => isSet(delta[member]));
