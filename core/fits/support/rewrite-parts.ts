import type { Part } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';

/** The same list while `rewrite` gives every item back as it is; items rewritten to `undefined` are left out. */
const rewriteList = <T>(items: readonly T[], rewrite: (item: T) => T | undefined): readonly T[] => {
  let changed: T[] | undefined;
  let index = 0;
  for (const item of items) {
    const rewritten = rewrite(item);
    if (rewritten !== item) changed ??= items.slice(0, index);
    if (rewritten !== undefined) changed?.push(rewritten);
    index += 1;
  }
  return changed ?? items;
};

/**
 * Rewrites the parts of a conversation, copying only what changes: the same turns come back when nothing did. A part rewritten to `undefined`
 * is left out, and with its last part a turn: no wire takes an empty one.
 */
export const rewriteParts = (turns: readonly Turn[], rewrite: (part: Part) => Part | undefined): readonly Turn[] =>
  rewriteList(turns, (turn) => {
    const parts = rewriteList(turn.parts, rewrite);
    if (parts === turn.parts) return turn;
    return parts.length === 0 ? undefined : { ...turn, parts };
  });
