import { globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { decodeText, describeUnreadable } from './decode-text.ts';
import { describePath } from '../describe-path.ts';
import { items, member } from '../checks/tolerant.ts';
import type { Environment } from './interpolate.ts';
import { openPart, type Part } from './part.ts';
import type { Finding, Path, Problem } from '../problem.ts';

/** What `include:` of a file brings. */
export interface Included {
  /** In the order of the patterns; what one pattern matches by name. Each file once, and the file itself never. */
  readonly parts: readonly Part[];
  readonly problems: readonly Problem[];
}

/** What cannot even be looked at is told of when it is read. */
const mayBeFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
};

/** Paths as problems name them: from where the file itself is named. */
const matchFiles = (pattern: string, file: string): readonly string[] =>
  globSync(pattern, { cwd: dirname(resolve(file)) })
    .map((match) => (isAbsolute(match) ? match : join(dirname(file), match)))
    .filter(mayBeFile)
    .toSorted();

/** Undefined where the file was read already. @param seen where the files that were read really are */
const openIncluded = (file: string, env: Environment, seen: Set<string>): Part | undefined => {
  const real = realpathSync(file);
  if (seen.has(real)) return undefined;
  seen.add(real);
  return openPart(file, decodeText(readFileSync(real)), env);
};

/** One level is enough to say where everything stands. */
const findNested = ({ source, data }: Part, by: string): readonly Problem[] =>
  Object.hasOwn(data, 'include')
    ? [
        source.locate({
          path: ['include'],
          on: 'key',
          rule: 'nested-include',
          message: `A file that is included may not include others. Name them in ${by}.`,
        }),
      ]
    : [];

/** Reads the files that `include:` of the first one names. */
export function openIncludes(root: Part, env: Environment): Included {
  const { source, interpolated } = root;
  const parts: Part[] = [];
  const problems: Problem[] = [];
  const seen = new Set([realpathSync(source.file)]);
  const report = (finding: Finding): unknown => problems.push(source.locate(finding));

  const open = (file: string, path: Path): void => {
    try {
      const part = openIncluded(file, env, seen);
      if (part === undefined) return;
      parts.push(part);
      problems.push(...findNested(part, source.file));
    } catch (error) {
      report({
        path,
        rule: 'unreadable-file',
        message: `The file ${JSON.stringify(file)} cannot be read: ${describeUnreadable(error)}.`,
      });
    }
  };

  for (const [index, pattern] of items(member(root.data, 'include')).entries()) {
    const path: Path = ['include', index];
    const scalar = source.scalar(path);
    if (typeof pattern !== 'string' || scalar === undefined || interpolated.unresolved.has(scalar)) continue;
    const matches = matchFiles(pattern, source.file);
    const shown = interpolated.filled.has(scalar) ? `The pattern ${describePath(path)}` : JSON.stringify(pattern);
    if (matches.length === 0)
      report({ path, rule: 'unmatched-include', message: `${shown} matches no file beside this one.` });
    for (const file of matches) open(file, path);
  }
  return { parts, problems };
}
