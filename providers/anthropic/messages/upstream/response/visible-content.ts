import type { JsonObject } from '../../../../../core/api/index.ts';
import { isObject } from '../../../../../core/api/codec.ts';

/** Blocks whose content arrives in deltas. Every other block is content by itself. */
const announcing = new Set<unknown>(['text', 'thinking']);
/** The members of a delta that the client can see. */
const deltaMembers = ['text', 'thinking', 'partial_json', 'signature', 'citation', 'content'] as const;

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Whether the client can see anything of a block. */
export function hasVisibleContent(block: unknown): boolean {
  if (!isObject(block) || !announcing.has(block['type'])) return true;
  return isSet(block['text']) || isSet(block['thinking']) || isSet(block['signature']);
}

/** The visible members of a delta that are not empty. */
export const visibleMembers = (delta: JsonObject): readonly string[] =>
  deltaMembers.filter((member) => isSet(delta[member]));
