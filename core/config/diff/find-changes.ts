import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../canonical/json/members.ts';
import type { Path } from '../problem.ts';

/**
 * The paths at which two configurations differ. Mappings are compared recursively, a list as a whole. Undefined comes
 * after each mapping, where other work can have a turn.
 */
export function* listChanges(before: unknown, after: unknown, path: Path = []): Generator<Path | undefined> {
  if (before === after) return;
  if (!isObject(before) || !isObject(after)) {
    if (!isDeepStrictEqual(before, after)) yield path;
    return;
  }
  for (const name in before) yield* listChanges(before[name], after[name], [...path, name]);
  for (const name in after)
    if (!Object.hasOwn(before, name)) yield* listChanges(undefined, after[name], [...path, name]);
  yield;
}

/** All of {@link listChanges} at once. */
export const findChanges = (before: unknown, after: unknown, path: Path = []): readonly Path[] =>
  [...listChanges(before, after, path)].filter((each) => each !== undefined);
