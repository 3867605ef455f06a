import { visit, type Document } from 'yaml';

export interface AliasFlaw {
  readonly offset: number;
  readonly message: string;
}

/** Repetitions (`*name`) of what is nowhere above them, or of what they are themselves a part of. */
export function findAliasFlaws(document: Document.Parsed): readonly AliasFlaw[] {
  const found: AliasFlaw[] = [];
  visit(document, {
    Alias: (_, alias, around) => {
      const target = alias.resolve(document);
      const offset = alias.range?.[0] ?? 0;
      if (target === undefined)
        found.push({ offset, message: `*${alias.source} repeats nothing: no &${alias.source} stands above it.` });
      else if (around.includes(target))
        found.push({
          offset,
          message: `*${alias.source} stands within &${alias.source}: it would repeat itself for ever.`,
        });
    },
  });
  return found;
}
