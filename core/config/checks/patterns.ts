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
  const isShown = context.isShown(path);
  const shown = isShown ? JSON.stringify(pattern) : describePath(path);
  const alias = text(member(member(context.data, 'aliases'), pattern));
  if (alias !== undefined) {
    const message =
      `${shown} is an alias, and aliases are resolved before models are compared. ` +
      `Write ${JSON.stringify(alias)} instead.`;
    return { path, rule: 'unknown-model', message };
  }
  if (!pattern.includes('*')) return unknownReference(context, path, pattern, models, 'model');
  const hint = isShown ? describeNearest(pattern, [...models], (other, id) => compilePatterns([other])(id)) : '';
  const message = `No model matches ${shown}.${hint} Correct the pattern, or remove it.`;
  return { path, severity: 'warning', rule: 'unmatched-pattern', message };
};

/** Finds the patterns of a list that match no model. */
export function createPatternCheck(context: CheckContext): (patterns: unknown, path: Path) => Iterable<Finding> {
  const models = names(member(context.data, 'models'));
  const results = new Map<string, boolean>();
  const isMatched = (pattern: string): boolean => {
    const result =
      results.get(pattern) ??
      ([...models].some(compilePatterns([pattern])) || [...models].some((id) => overlapsWildcard(id, pattern)));
    results.set(pattern, result);
    return result;
  };
  return function* check(patterns, path) {
    for (const [index, pattern] of readList(patterns).entries())
      if (typeof pattern === 'string' && pattern !== '' && !isMatched(pattern))
        yield describeUnmatched(context, [...path, index], pattern, models);
  };
}
