import type { JsonObject } from '../../../core/api/index.ts';

/**
 * A block with members that the canonical form cannot hold (`caller`, a document's `context`, a whole `search_result`)
 * is kept whole in `Turn.extra`, under the path of the block. It is restored on this wire and reported as lost on any
 * other.
 */
export const blockPath = (index: number, parent = ''): string =>
  `${parent === '' ? '' : `${parent}.`}content[${index}]`;

const isBlockPath = (name: string): boolean => name.startsWith('content[');

/** Splits the extra members of a turn into kept blocks and members of the message itself. */
export function splitTurnExtra(members: Readonly<JsonObject>): {
  readonly blocks: JsonObject;
  readonly own: JsonObject;
} {
  const blocks: JsonObject = {};
  const own: JsonObject = {};
  for (const [name, value] of Object.entries(members)) (isBlockPath(name) ? blocks : own)[name] = value;
  return { blocks, own };
}
