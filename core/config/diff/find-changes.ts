import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../canonical/json/members.ts';
import type { Path } from '../problem.ts';

/** The paths at which two configurations differ. Mappings are compared recursively, a list as a whole. */
export function findChanges(before: unknown, after: unknown, path: Path = []): readonly Path[] {
  if (!isObject(before) || !isObject(after)) return isDeepStrictEqual(before, after) ? [] : [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => findChanges(before[name], after[name], [...path, name]));
}
