import type { Document } from 'yaml';
import { walkNodes } from './walk.ts';
import { yamlLibrary } from './yaml-library.ts';

export interface DuplicateKey {
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
