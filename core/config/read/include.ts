import { globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readList } from '../../canonical/json/read.ts';
import { decodeText, describeUnreadable } from './decode-text.ts';
import { describePath } from '../describe-path.ts';
import { member } from '../checks/tolerant.ts';
import type { Environment } from './interpolate.ts';
import { openConfigFile, type ConfigFile } from './config-file.ts';
import type { Finding, Path, Problem } from '../problem.ts';

/** The files that `include:` names. */
export interface IncludedFiles {
  /** In the order of the patterns, the matches of one pattern by name. No file twice, and never the root. */
  readonly files: readonly ConfigFile[];
  readonly problems: readonly Problem[];
}

/** True for a path that cannot be examined: reading it then reports the reason. */
const mayBeFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
};

/** Paths in the form that problems show: relative to the same folder as the path of the including file. */
const matchFiles = (pattern: string, file: string): readonly string[] =>
  globSync(pattern, { cwd: dirname(resolve(file)) })
    .map((match) => (isAbsolute(match) ? match : join(dirname(file), match)))
    .filter(mayBeFile)
    .toSorted();

/**
 * Undefined when the file has been read before.
 * @param seen the files read so far, with links resolved
 */
const openOnce = (path: string, env: Environment, seen: Set<string>): ConfigFile | undefined => {
  const real = realpathSync(path);
  if (seen.has(real)) return undefined;
  seen.add(real);
  return openConfigFile(path, decodeText(readFileSync(real)), env);
};

/** Includes are one level deep. */
const findNested = ({ source, data }: ConfigFile, by: string): readonly Problem[] =>
  Object.hasOwn(data, 'include')
    ? [
        source.locate({
          path: ['include'],
          on: 'key',
          rule: 'nested-include',
          message: `An included file cannot include others. List them in ${by} instead.`,
        }),
      ]
    : [];

/** Reads the files that `include:` of the root names. */
export function openIncludes(root: ConfigFile, env: Environment): IncludedFiles {
  const { source, interpolated } = root;
  const files: ConfigFile[] = [];
  const problems: Problem[] = [];
  const own = realpathSync(source.file);
  const seen = new Set([own]);
  const report = (finding: Finding): unknown => problems.push(source.locate(finding));

  const open = (name: string, path: Path, isPattern: boolean): void => {
    try {
      // A pattern may match this file among others, which then is not included.
      if (!isPattern && realpathSync(name) === own) {
        report({ path, rule: 'nested-include', message: `${JSON.stringify(name)} is this file itself. Remove it.` });
        return;
      }
      const file = openOnce(name, env, seen);
      if (file === undefined) return;
      files.push(file);
      problems.push(...findNested(file, source.file));
    } catch (error) {
      report({
        path,
        rule: 'unreadable-file',
        message: `The file ${JSON.stringify(name)} cannot be read: ${describeUnreadable(error)}.`,
      });
    }
  };

  for (const [index, pattern] of readList(member(root.data, 'include')).entries()) {
    const path: Path = ['include', index];
    if (typeof pattern !== 'string' || !interpolated.isResolved(path)) continue;
    const matches = matchFiles(pattern, source.file);
    const shown =
      interpolated.textAt(path) !== undefined ? `The pattern ${describePath(path)}` : JSON.stringify(pattern);
    if (matches.length === 0)
      report({
        path,
        rule: 'unmatched-include',
        message: `${shown} matches no file. Patterns are relative to the folder of this file.`,
      });
    for (const name of matches) open(name, path, /[*?[{]/.test(pattern));
  }
  return { files, problems };
}
