import type { Document } from 'yaml';
import { walkNodes } from './walk.ts';
import { yamlLibrary } from './yaml-library.ts';
import { NO_ALIAS } from './yaml-messages.ts';

export interface AliasFlaw {
  readonly offset: number;
  readonly message: string;
}

/** YAML aliases (`*name`) whose anchor is not defined above them, or that are inside their own anchor. */
export function findAliasFlaws(document: Document.Parsed): readonly AliasFlaw[] {
  const { isAlias } = yamlLibrary();
  const found: AliasFlaw[] = [];
  walkNodes(document, (alias, ancestors) => {
    if (!isAlias(alias)) return;
    const target = alias.resolve(document);
    const offset = alias.range?.[0] ?? 0;
    if (target === undefined)
      found.push({
        offset,
        message: `*${alias.source} refers to no anchor: there is no &${alias.source} above it. ` + NO_ALIAS,
      });
    else if (ancestors.includes(target))
      found.push({
        offset,
        message: `*${alias.source} is inside its own anchor &${alias.source}, so it would contain itself.`,
      });
  });
  return found;
}
