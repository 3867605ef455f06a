import type { JsonObject } from '../../../core/index.ts';

/**
 * Blocks with members that the canonical form has no word for (`caller`, a document's `context`, a whole `search_result`) stand in `Turn.extra`
 * under the path of the block. On this wire they come back; on another the path is named as lost.
 */
export const blockPath = (index: number, parent = ''): string =>
  `${parent === '' ? '' : `${parent}.`}content[${index}]`;

const isBlockPath = (name: string): boolean => name.startsWith('content[');

/** The members of a turn's `extra`, told apart: kept blocks, and members of the message itself. */
export function splitTurnExtra(members: Readonly<JsonObject>): {
  readonly blocks: JsonObject;
  readonly own: JsonObject;
} {
  const blocks: JsonObject = {};
  const own: JsonObject = {};
  for (const [name, value] of Object.entries(members)) (isBlockPath(name) ? blocks : own)[name] = value;
  return { blocks, own };
}
