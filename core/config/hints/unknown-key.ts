import type { JsonObject } from '../../canonical/wire.ts';
import type { Path } from '../problem.ts';
import { describeSuggestion } from '../suggest.ts';
import { describeHome, TOP } from './belongs.ts';
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

/** A limit with the number of the file. */
const limit =
  (unit: string, example: number, per?: string) =>
  (value: unknown): string => {
    const amount = typeof value === 'number' && value > 0 ? value : example;
    return (
      `Limits are written as limits: [{ ${unit}: ${amount}${per === undefined ? '' : `, per: ${per}`} }], ` +
      'for all keys, or for an organization, a project or a key.'
    );
  };

const requests = limit('requests', 60, '1m');
const tokens = limit('tokens', 100_000, '1m');
const budget = limit('cost', 100, 'month');
const concurrent = limit('concurrent', 8);
const targets = (): string => 'The targets of a model are tried in their order: add the others to its "targets".';

/** What settings of other gateways are here, by their names in small letters and without separators. */
const hints: ReadonlyMap<string, (value: unknown) => string> = new Map(
  Object.entries({
    rpm: requests,
    rpmlimit: requests,
    requestsperminute: requests,
    ratelimit: requests,
    ratelimits: requests,
    rpd: limit('requests', 1_000, '24h'),
    tpm: tokens,
    tpmlimit: tokens,
    tokensperminute: tokens,
    tpd: limit('tokens', 1_000_000, '24h'),
    budget,
    maxbudget: budget,
    budgetduration: () => budget(undefined),
    maxparallelrequests: concurrent,
    concurrency: concurrent,
    maxconcurrency: concurrent,
    fallback: targets,
    bodybytes: () => 'Set memory to the memory that the bodies of open requests may take, or leave it out.',
    fallbacks: targets,
  }),
);

/** What to write instead of a setting that other gateways have. */
const describeOtherName = (key: string, value: unknown): string | undefined =>
  hints.get(key.replaceAll(/[-_]/g, '').toLowerCase())?.(value);

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
