import { readList } from '../../canonical/json/read.ts';
import { compilePatterns } from '../../canonical/text/compile-patterns.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { describeNearest } from '../hints/nearest-model.ts';
import type { CheckContext } from './check.ts';
import { overlapsWildcard } from '../wildcards.ts';
import { unknownReference } from './references.ts';
import { member, names, text } from './tolerant.ts';

const describeUnmatched = (
  context: CheckContext,
  path: Path,
  pattern: string,
  models: ReadonlySet<string>,
): Finding => {
  const shown = context.isShown(path) ? JSON.stringify(pattern) : describePath(path);
  const alias = text(member(member(context.data, 'aliases'), pattern));
  if (alias !== undefined)
    return {
      path,
      rule: 'unknown-model',
      message:
        `${shown} is an alias, and aliases are resolved before models are compared. ` +
        `Write ${JSON.stringify(alias)} instead.`,
    };
  if (!pattern.includes('*')) return unknownReference(context, path, pattern, models, 'model');
  const hint = context.isShown(path)
    ? describeNearest(pattern, [...models], (other, id) => compilePatterns([other])(id))
    : '';
  return {
    path,
    severity: 'warning',
    rule: 'unmatched-pattern',
    message: `No model matches ${shown}.${hint} Correct the pattern, or remove it.`,
  };
};

/** Finds the patterns of a list that match no model. */
export function createPatternCheck(context: CheckContext): (patterns: unknown, path: Path) => readonly Finding[] {
  const models = names(member(context.data, 'models'));
  const results = new Map<string, boolean>();
  const isMatched = (pattern: string): boolean => {
    const known = results.get(pattern);
    if (known !== undefined) return known;
    const result =
      [...models].some(compilePatterns([pattern])) || [...models].some((id) => overlapsWildcard(id, pattern));
    results.set(pattern, result);
    return result;
  };
  return (patterns, path) =>
    readList(patterns).flatMap((pattern, index) =>
      typeof pattern === 'string' && pattern !== '' && !isMatched(pattern)
        ? [describeUnmatched(context, [...path, index], pattern, models)]
        : [],
    );
}
