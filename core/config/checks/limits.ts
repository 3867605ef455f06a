import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import { checkLimitList } from '../validate/limit-rules.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { createPatternCheck } from './patterns.ts';
import { entries, member } from './tolerant.ts';

/** A list of limits and its path. */
export interface FoundLimits {
  readonly path: Path;
  readonly list: unknown;
  /** If the list belongs to a key: the models of that key. */
  readonly models?: unknown;
}

const listsOf = (level: unknown, path: Path): readonly FoundLimits[] =>
  ['limits', 'keyLimits'].map((name) => ({ path: [...path, name], list: member(level, name) }));

/** Every list of limits in the file. */
export const collectLimits = (data: unknown): readonly FoundLimits[] => [
  { path: ['limits'], list: member(data, 'limits') },
  {
    path: ['admin', 'personalKeys', 'limits'],
    list: member(member(member(data, 'admin'), 'personalKeys'), 'limits'),
  },
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

/** Each limit must have one unit, and no two limits of a list may be the same. */
export const checkLimits: Check = ({ data }) =>
  collectLimits(data).flatMap(({ list, path }) => checkLimitList(list, path));

/** The models of limits must exist. */
export const checkLimitModels: Check = (context) => {
  const check = createPatternCheck(context);
  return collectLimits(context.data).flatMap(({ list, path }) =>
    readList(list).flatMap((limit, index) => check(member(limit, 'models'), [...path, index, 'models'])),
  );
};

/** A plugin enforces limits. Without one they would have no effect. */
export const checkEnforcement: Check = ({ data, plugins }): readonly Finding[] => {
  // A plugin that could not be loaded may be the one that enforces limits.
  if (
    plugins.length < readList(member(data, 'plugins')).length ||
    plugins.some(({ definition }) => definition.enforces?.includes('limits') === true)
  )
    return [];
  const first = collectLimits(data).find(({ list }) => readList(list).length > 0);
  return first === undefined
    ? []
    : [
        {
          path: first.path,
          on: 'key',
          rule: 'limits-without-plugin',
          message:
            `${describePath(first.path)} would have no effect: no plugin enforces limits. Add "- use: ` +
            'rate-limit" to plugins.',
        },
      ];
};
