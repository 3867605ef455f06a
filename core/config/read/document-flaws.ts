import type { Document } from 'yaml';
import { walkNodes } from './walk.ts';
import { yamlLibrary } from './yaml-library.ts';
import { NO_ALIAS, type YamlFlaw } from './yaml-messages.ts';

/** YAML aliases (`*name`) whose anchor is not defined above them, or that are inside their own anchor. */
export function findAliasFlaws(document: Document.Parsed): readonly YamlFlaw[] {
  const { isAlias } = yamlLibrary();
  const found: YamlFlaw[] = [];
  walkNodes(document, (alias, ancestors) => {
    if (!isAlias(alias)) return;
    const target = alias.resolve(document);
    const { source, range } = alias;
    const message =
      target === undefined
        ? `*${source} refers to no anchor: there is no &${source} above it. ${NO_ALIAS}`
        : `*${source} is inside its own anchor &${source}, so it would contain itself.`;
    if (target === undefined || ancestors.includes(target)) found.push({ offset: range?.[0] ?? 0, message });
  });
  return found;
}

interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
  /** Offset of its first occurrence. */
  readonly first: number;
}

/** Keys that occur twice in one mapping. The check of the library compares every pair: minutes for 100,000 keys. */
export function findDuplicateKeys(document: Document.Parsed): readonly DuplicateKey[] {
  const { isMap, isScalar } = yamlLibrary();
  const found: DuplicateKey[] = [];
  walkNodes(document, (node) => {
    if (!isMap(node) || node.items.length < 2) return;
    const seen = new Map<string, number>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      const name = String(key.value);
      const offset = key.range?.[0] ?? 0;
      const first = seen.get(name);
      if (first === undefined) seen.set(name, offset);
      else found.push({ key: name, offset, first });
    }
  });
  return found;
}

/**
 * Deeper than any setting, and well below the recursion limit of what reads it. A mapping counts twice: itself and its
 * pair.
 */
const MAX_DEPTH = 200;

/** The offset at which the file exceeds {@link MAX_DEPTH}. */
export function findTooDeep(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  walkNodes(document, ({ range }, ancestors) => {
    if (ancestors.length <= MAX_DEPTH) return true;
    offset ??= range?.[0] ?? 0;
    return false;
  });
  return offset;
}
