import type { Path } from '../problem.ts';
import type { Place, SchemaTree } from './schema-tree.ts';

/** How many levels lower a setting is looked for: a key is five levels below the top. */
const MAX_DEPTH = 6;
/** How many levels lower beside the sections that contain the wrong place. */
const MAX_ASIDE = 2;
/** Names that occur in many sections: further away than this they mean something else. */
const common = new Set([
  'enabled',
  'allow',
  'path',
  'use',
  'config',
  'timeout',
  'time',
  'headers',
  'total',
  'url',
  'name',
]);
const MAX_COMMON = 2;

const findBelow = (tree: SchemaTree, from: Place, key: string, value: unknown, depth: number): readonly Place[] => {
  let level: readonly Place[] = [from];
  for (let left = common.has(key) ? Math.min(depth, MAX_COMMON) : depth; left > 0; left -= 1) {
    level = level.flatMap((place) => tree.children(place));
    const found = level.filter((place) => tree.accepts(place, key, value));
    if (found.length > 0) return found;
  }
  return [];
};

/** The places from the top of the file to the one that has the setting. */
const listAncestors = (tree: SchemaTree, path: Path): readonly Place[] => {
  const places = [tree.root];
  for (const segment of path) {
    const next = tree.step(places.at(-1) ?? tree.root, segment);
    if (next === undefined) return [];
    places.push(next);
  }
  return places;
};

export const TOP = 'the top level of the file';

/** At most two. Of more, those in lists are less likely. */
const describePlaces = (places: readonly Place[]): string | undefined => {
  const paths = [...new Set(places.map(({ path }) => (path === '' ? TOP : path)))];
  const likely = paths.length <= 2 ? paths : paths.filter((path) => !path.endsWith(']'));
  return likely.length === 0 || likely.length > 2 ? undefined : likely.join(' or ');
};

/**
 * Where a setting of this name belongs: first below the section that has it, then above, then beside.
 * @param path of the section
 * @returns undefined if there is no such place, or more than two
 */
export function findPlaces(tree: SchemaTree, path: Path, key: string, value: unknown): string | undefined {
  const ancestors = listAncestors(tree, path);
  const own = ancestors.at(-1);
  if (own === undefined) return undefined;
  const below = findBelow(tree, own, key, value, MAX_DEPTH);
  if (below.length > 0) return describePlaces(below);
  const higher = ancestors.slice(0, -1).toReversed();
  const above = higher.find((place) => tree.accepts(place, key, value));
  if (above !== undefined) return describePlaces([above]);
  for (const place of higher) {
    // Sections at the top have little in common: only a setting that one of them has was meant for it.
    const isTop = place === tree.root;
    const aside = isTop && path.length > 1 ? [] : findBelow(tree, place, key, value, isTop ? 1 : MAX_ASIDE);
    if (aside.length > 0) return isTop && aside.length > 1 ? undefined : describePlaces(aside);
  }
  return undefined;
}
