import type { Document } from 'yaml';
import { walkNodes } from './walk.ts';

/**
 * Deeper than any setting, and well below the recursion limit of what reads it. A mapping counts twice: itself and its
 * pair.
 */
const MAX_DEPTH = 200;

export const TOO_DEEP = 'The file is nested too deeply.';

/** The offset at which the file exceeds {@link MAX_DEPTH}. */
export function findTooDeep(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  walkNodes(document, ({ range }, ancestors) => {
    if (ancestors.length <= MAX_DEPTH) return true;
    offset ??= range?.[0] ?? 0;
    return false;
  });
  return offset;
}
