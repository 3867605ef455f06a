import type { Path } from '../problem.ts';
import type { SchemaNode, SchemaTree } from './schema-tree.ts';

/** How many levels lower a setting is looked for: a key is five levels below the top. */
const MAX_DEPTH = 6;
/** How many levels lower beside the sections that contain the wrong node. */
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

const findBelow = (
  tree: SchemaTree,
  from: SchemaNode,
  key: string,
  value: unknown,
  depth: number,
): readonly SchemaNode[] => {
  let level: readonly SchemaNode[] = [from];
  for (let left = common.has(key) ? Math.min(depth, MAX_COMMON) : depth; left > 0; left -= 1) {
    level = level.flatMap((node) => tree.children(node));
    const found = level.filter((node) => tree.accepts(node, key, value));
    if (found.length > 0) return found;
  }
  return [];
};

/** The nodes from the top of the file to the one that has the setting. */
const listAncestors = (tree: SchemaTree, path: Path): readonly SchemaNode[] => {
  const nodes = [tree.root];
  for (const segment of path) {
    const next = tree.step(nodes.at(-1) ?? tree.root, segment);
    if (next === undefined) return [];
    nodes.push(next);
  }
  return nodes;
};

export const TOP = 'the top level of the file';

/** At most two. Of more, those in lists are less likely. */
const describeNodes = (nodes: readonly SchemaNode[]): string | undefined => {
  const paths = [...new Set(nodes.map(({ path }) => (path === '' ? TOP : path)))];
  const likely = paths.length <= 2 ? paths : paths.filter((path) => !path.endsWith(']'));
  return likely.length === 0 || likely.length > 2 ? undefined : likely.join(' or ');
};

/**
 * Where a setting of this name belongs: first below the section that has it, then above, then beside.
 * @param path of the section
 * @returns undefined if there is no such node, or more than two
 */
export function describeHome(tree: SchemaTree, path: Path, key: string, value: unknown): string | undefined {
  const ancestors = listAncestors(tree, path);
  const own = ancestors.at(-1);
  if (own === undefined) return undefined;
  const below = findBelow(tree, own, key, value, MAX_DEPTH);
  if (below.length > 0) return describeNodes(below);
  const higher = ancestors.slice(0, -1).toReversed();
  const above = higher.find((node) => tree.accepts(node, key, value));
  if (above !== undefined) return describeNodes([above]);
  for (const node of higher) {
    // Sections at the top have little in common: only a setting that one of them has was meant for it.
    const isTop = node === tree.root;
    const aside = isTop && path.length > 1 ? [] : findBelow(tree, node, key, value, isTop ? 1 : MAX_ASIDE);
    if (aside.length > 0) return isTop && aside.length > 1 ? undefined : describeNodes(aside);
  }
  return undefined;
}
