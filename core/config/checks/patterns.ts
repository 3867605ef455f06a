import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { CheckContext } from './check.ts';
import { unknownReference } from './references.ts';
import { items, member, names, text } from './tolerant.ts';

/** Does one of the patterns stand for the id? An empty list stands for all. */
export function createMatcher(patterns: readonly string[]): (id: string) => boolean {
  const matcher = new RegExp(
    `^(?:${patterns.map((pattern) => pattern.split('*').map(RegExp.escape).join('.*')).join('|')})$`,
    's',
  );
  return (id) => patterns.length === 0 || matcher.test(id);
}

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
      message: `${shown} is an alias. Models are compared after aliases are resolved: name ${JSON.stringify(alias)}.`,
    };
  if (!pattern.includes('*')) return unknownReference(context, path, pattern, models, 'model');
  return { path, severity: 'warning', rule: 'unmatched-pattern', message: `No model has a name like ${shown}.` };
};

/** Finds the patterns of a list that stand for no model. */
export function createPatternCheck(context: CheckContext): (patterns: unknown, path: Path) => readonly Finding[] {
  const models = names(member(context.data, 'models'));
  const results = new Map<string, boolean>();
  const isMatched = (pattern: string): boolean => {
    const known = results.get(pattern);
    if (known !== undefined) return known;
    const result = [...models].some(createMatcher([pattern]));
    results.set(pattern, result);
    return result;
  };
  return (patterns, path) =>
    items(patterns).flatMap((pattern, index) =>
      typeof pattern === 'string' && pattern !== '' && !isMatched(pattern)
        ? [describeUnmatched(context, [...path, index], pattern, models)]
        : [],
    );
}
