import type { JsonObject } from '../../canonical/wire.ts';
import type { Path } from '../problem.ts';
import { describeSuggestion } from '../suggest.ts';
import { describeHome, TOP } from './belongs.ts';
import { describeOtherName } from './other-names.ts';
import { SchemaTree } from './schema-tree.ts';

/** What is known of a setting that a section does not have. */
export interface UnknownKey {
  /** Of the section. */
  readonly path: Path;
  readonly key: string;
  readonly value: unknown;
  /** The settings of the section that the file does not set. */
  readonly free: readonly string[];
}

/** Sentences about an unknown setting, with a space before them, or an empty text. */
export type DescribeUnknownKey = (unknown: UnknownKey) => string;

/** Knows no other section. */
export const describeInSection: DescribeUnknownKey = ({ key, value, free }) => {
  const other = describeOtherName(key, value);
  return other === undefined ? describeSuggestion(key, free) : ` ${other}`;
};

const toCamelCase = (name: string): string =>
  name.replaceAll(/[-_]+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());

/** @param compose returns the schema of the whole file; called when there is an unknown setting */
export function createKeyHints(compose: () => JsonObject, data: unknown): DescribeUnknownKey {
  let tree: SchemaTree | undefined;
  return (unknown) => {
    const { path, key, value } = unknown;
    if (describeOtherName(key, value) !== undefined) return describeInSection(unknown);
    tree ??= new SchemaTree(compose(), data);
    for (const name of new Set([key, toCamelCase(key)])) {
      const home = describeHome(tree, path, name, value);
      if (home === undefined) continue;
      const named = name === key ? 'It belongs' : `It is ${JSON.stringify(name)}, and belongs`;
      return ` ${named} ${home === TOP ? 'at' : 'under'} ${home}.`;
    }
    return describeInSection(unknown);
  };
}
