import { isScalar, visit, type Document } from 'yaml';

export interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
}

/** Keys that stand twice in one section. The library's own check compares every pair: minutes for 100,000 keys. */
export const findDuplicateKeys = (document: Document.Parsed): readonly DuplicateKey[] => {
  const found: DuplicateKey[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) found.push({ key: name, offset: key.range?.[0] ?? 0 });
        seen.add(name);
      }
    },
  });
  return found;
};
