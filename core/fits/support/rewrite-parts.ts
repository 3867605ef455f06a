import type { Part } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';

/** Returns the same list if `rewrite` returns every item unchanged. Items rewritten to `undefined` are removed. */
export const rewriteList = <T>(items: readonly T[], rewrite: (item: T) => T | undefined): readonly T[] => {
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
 * Rewrites the parts of a conversation. Returns the same turns if nothing changes. A part rewritten to `undefined` is
 * removed, and a turn with its last part, because no wire accepts an empty turn.
 */
export const rewriteParts = (turns: readonly Turn[], rewrite: (part: Part) => Part | undefined): readonly Turn[] =>
  rewriteList(turns, (turn) => {
    const parts = rewriteList(turn.parts, rewrite);
    if (parts === turn.parts) return turn;
    return parts.length === 0 ? undefined : { ...turn, parts };
  });
