import { globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { describePath } from './describe-path.ts';
import { items, member } from './checks/tolerant.ts';
import type { Environment } from './interpolate.ts';
import { openPart, type Part } from './part.ts';
import type { Finding, Path, Problem } from './problem.ts';

/** What `include:` of a file brings. */
export interface Included {
  /** In the order of the patterns; what one pattern matches by name. Each file once, and the file itself never. */
  readonly parts: readonly Part[];
  readonly problems: readonly Problem[];
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Paths as problems name them: from where the file itself is named. */
const matchFiles = (pattern: string, file: string): readonly string[] =>
  globSync(pattern, { cwd: dirname(resolve(file)) })
    .map((match) => (isAbsolute(match) ? match : join(dirname(file), match)))
    .filter(isFile)
    .toSorted();

const openIncluded = (file: string, env: Environment): Part | string => {
  try {
    return openPart(file, readFileSync(file, 'utf8'), env);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

/** One level is enough to say where everything stands. */
const findNested = ({ source, data }: Part, by: string): readonly Problem[] =>
  Object.hasOwn(data, 'include')
    ? [source.locate({ path: ['include'], on: 'key', rule: 'nested-include', message: `A file that is included may not include others. Name them in ${by}.` })]
    : [];

/** Reads the files that `include:` of the first one names. */
export const openIncludes = (root: Part, env: Environment): Included => {
  const { source, interpolated } = root;
  const parts: Part[] = [];
  const problems: Problem[] = [];
  const seen = new Set([realpathSync(source.file)]);
  const report = (finding: Finding): unknown => problems.push(source.locate(finding));

  const open = (file: string, path: Path): void => {
    const real = realpathSync(file);
    if (seen.has(real)) return;
    seen.add(real);
    const part = openIncluded(file, env);
    if (typeof part === 'string') report({ path, rule: 'unreadable-file', message: `The file "${file}" cannot be read: ${part}.` });
    else {
      parts.push(part);
      problems.push(...findNested(part, source.file));
    }
  };

  for (const [index, pattern] of items(member(root.data, 'include')).entries()) {
    const path: Path = ['include', index];
    const scalar = source.scalar(path);
    if (typeof pattern !== 'string' || scalar === undefined || interpolated.unresolved.has(scalar)) continue;
    const matches = matchFiles(pattern, source.file);
    const shown = interpolated.filled.has(scalar) ? `The pattern ${describePath(path)}` : JSON.stringify(pattern);
    if (matches.length === 0) report({ path, rule: 'unmatched-include', message: `${shown} matches no file beside this one.` });
    for (const file of matches) open(file, path);
  }
  return { parts, problems };
};
