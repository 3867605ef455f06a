import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { checkLimitList } from '../validate/limit-rules.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check, CheckContext } from './check.ts';
import { createPatternCheck } from './patterns.ts';
import { collectOnce, entries, member } from './tolerant.ts';

/** A list of limits and its path. */
export interface FoundLimits {
  readonly path: Path;
  readonly list: unknown;
  /** If the list belongs to a key: the models of that key. */
  readonly models?: unknown;
}

/** Nothing if the list is not set. */
const listOf = (level: unknown, name: string, path: Path, models?: unknown): readonly FoundLimits[] => {
  const list = member(level, name);
  return list === undefined ? [] : [{ path: [...path, name], list, models }];
};

const listsOf = (level: unknown, path: Path): readonly FoundLimits[] => [
  ...listOf(level, 'limits', path),
  ...listOf(level, 'keyLimits', path),
];

/** Every list of limits in the file. */
export const collectLimits = collectOnce((data): readonly FoundLimits[] => [
  ...listOf(data, 'limits', []),
  ...listOf(member(member(data, 'admin'), 'personalKeys'), 'limits', ['admin', 'personalKeys']),
  ...entries(member(data, 'organizations')).flatMap(([organization, settings]) => [
    ...listsOf(settings, ['organizations', organization]),
    ...entries(member(settings, 'projects')).flatMap(([project, content]) => {
      const path = ['organizations', organization, 'projects', project];
      const ofKeys = entries(member(content, 'keys')).flatMap(([name, key]) =>
        listOf(key, 'limits', [...path, 'keys', name], member(key, 'models')),
      );
      return [...listsOf(content, path), ...ofKeys];
    }),
  ]),
]);

/** Each limit must have one unit, and no two limits of a list may be the same. */
export const checkLimits: Check = ({ data }) =>
  collectLimits(data).flatMap(({ list, path }) => [...checkLimitList(list, path)]);

/** The models of limits must exist. */
export function* checkLimitModels(context: CheckContext): Iterable<Finding> {
  const check = createPatternCheck(context);
  for (const { list, path } of collectLimits(context.data))
    for (const [index, limit] of readList(list).entries())
      yield* check(member(limit, 'models'), [...path, index, 'models']);
}

/** A plugin enforces limits. Without one they would have no effect. */
export function* checkEnforcement({ data, plugins }: CheckContext): Iterable<Finding> {
  // A plugin that could not be loaded may be the one that enforces limits.
  if (plugins.length < readList(member(data, 'plugins')).length) return;
  if (plugins.some(({ definition }) => definition.enforces?.includes('limits') === true)) return;
  const path = collectLimits(data).find(({ list }) => readList(list).length > 0)?.path;
  if (path === undefined) return;
  const place = describePath(path);
  const message = `${place} would have no effect: no plugin enforces limits. Add "- use: rate-limit" to plugins.`;
  yield { path, on: 'key', rule: 'limits-without-plugin', message };
}
