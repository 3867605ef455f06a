import { describePath } from '../describe-path.ts';
import { checkLimitList } from '../validate/limit-rules.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { createPatternCheck } from './patterns.ts';
import { entries, items, member } from './tolerant.ts';

/** A list of limits, wherever it stands. */
export interface FoundLimits {
  readonly path: Path;
  readonly list: unknown;
  /** The models of the key whose list it is. */
  readonly models?: unknown;
}

const listsOf = (level: unknown, path: Path): readonly FoundLimits[] =>
  ['limits', 'keyLimits'].map((name) => ({ path: [...path, name], list: member(level, name) }));

/** Every list of limits in the file, from the top. */
export const collectLimits = (data: unknown): readonly FoundLimits[] => [
  { path: ['limits'], list: member(data, 'limits') },
  ...entries(member(data, 'organizations')).flatMap(([organization, settings]) => [
    ...listsOf(settings, ['organizations', organization]),
    ...entries(member(settings, 'projects')).flatMap(([project, content]) => [
      ...listsOf(content, ['organizations', organization, 'projects', project]),
      ...entries(member(content, 'keys')).map(([name, key]) => ({
        path: ['organizations', organization, 'projects', project, 'keys', name, 'limits'],
        list: member(key, 'limits'),
        models: member(key, 'models'),
      })),
    ]),
  ]),
];

/** Each limit says one thing, and says it once. */
export const checkLimits: Check = ({ data }) =>
  collectLimits(data).flatMap(({ list, path }) => checkLimitList(list, path));

/** The models of limits exist. */
export const checkLimitModels: Check = (context) => {
  const check = createPatternCheck(context);
  return collectLimits(context.data).flatMap(({ list, path }) =>
    items(list).flatMap((limit, index) => check(member(limit, 'models'), [...path, index, 'models'])),
  );
};

/** Limits hold by a plugin: without one they would be written down and nothing else. */
export const checkEnforcement: Check = ({ data, plugins }): readonly Finding[] => {
  // One that could not be loaded might have been the one.
  if (
    plugins.length < items(member(data, 'plugins')).length ||
    plugins.some(({ definition }) => definition.enforces?.includes('limits') === true)
  )
    return [];
  const first = collectLimits(data).find(({ list }) => items(list).length > 0);
  return first === undefined
    ? []
    : [
        {
          path: first.path,
          on: 'key',
          rule: 'limits-without-plugin',
          message: `No plugin makes limits hold: ${describePath(first.path)} would silently do nothing. Add "- use: rate-limit" under plugins.`,
        },
      ];
};
