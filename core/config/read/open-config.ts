import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { JsonObject } from '../../canonical/wire.ts';
import { openIncludes } from './include.ts';
import type { Environment, InterpolatedText, Substitution } from './interpolate.ts';
import { mergeFiles } from './merge-files.ts';
import { openConfigFile, type ConfigFile } from './config-file.ts';
import { ConfigError, type Finding, type Path, type Problem } from '../problem.ts';
import { readConfig } from './read-config.ts';
import type { Position } from './source.ts';

/** The data of a configuration file and the files that it includes, not yet validated. */
export interface OpenedConfig {
  readonly data: JsonObject;
  /** Absolute paths of every file that was read or referenced: a change of one of them changes the configuration. */
  readonly files: readonly string[];
  /** Whether a file sets the path; otherwise its value is a default. */
  isWritten(path: Path): boolean;
  /** Whether messages may quote the value. Text from variables and files may be secret. */
  isShown(path: Path): boolean;
  /** The results of each `${…}` in the value, in order. */
  substitutionsOf(path: Path): readonly Substitution[];
  /** The text before interpolation; undefined when it has no `${…}`. */
  writtenOf(path: Path): string | undefined;
  /** Whether every `${…}` of the value could be resolved. */
  isResolved(path: Path): boolean;
  /** The position of the key of the path, or of its nearest ancestor that exists. */
  findKey(path: Path): Position;
  /**
   * Adds positions to the findings, and returns them with the problems found so far, in the order of the files.
   * Findings about values that could not be interpolated are left out.
   */
  collect(findings: readonly Finding[]): readonly Problem[];
}

/** A text that is read as if it were an included file. */
export interface AddedText {
  readonly name: string;
  readonly text: string;
}

/** Long enough to distinguish configurations, short enough for a metric label. */
const HASH_LENGTH = 16;

/** Sorted by file and position, without duplicates: two steps of validation can find the same problem. */
const arrangeProblems = (problems: readonly Problem[], files: readonly string[]): readonly Problem[] =>
  [
    ...new Map(
      problems.map((problem) => [
        `${problem.file}:${problem.line}:${problem.column} ${problem.rule} ${problem.message}`,
        problem,
      ]),
    ).values(),
  ].toSorted(
    (one, other) =>
      files.indexOf(one.file) - files.indexOf(other.file) || one.line - other.line || one.column - other.column,
  );

/** Absolute paths of the given files and of the files that they reference. */
const listFiles = (all: readonly ConfigFile[]): readonly string[] => {
  const own = all.map(({ source }) => resolve(source.file));
  return [...new Set([...own, ...all.flatMap(({ interpolated }) => interpolated.files)])];
};

type Lookups = Pick<OpenedConfig, 'isWritten' | 'isShown' | 'substitutionsOf' | 'writtenOf' | 'findKey' | 'isResolved'>;

/** Questions about a path of the merged data, answered by the file in which it is written. */
const createLookups = (find: (merged: Path) => { readonly file: ConfigFile; readonly path: Path }): Lookups => {
  const interpolatedAt = (merged: Path): InterpolatedText | undefined => {
    const { file, path } = find(merged);
    return file.interpolated.textAt(path);
  };
  return {
    isWritten: (merged) => {
      const { file, path } = find(merged);
      return file.source.has(path);
    },
    isShown: (path) => interpolatedAt(path) === undefined,
    substitutionsOf: (path) => interpolatedAt(path)?.substitutions ?? [],
    writtenOf: (path) => interpolatedAt(path)?.written,
    findKey: (merged) => {
      const { file, path } = find(merged);
      return file.source.findKey(path);
    },
    isResolved: (merged) => {
      const { file, path } = find(merged);
      return file.interpolated.isResolved(path);
    },
  };
};

/** The same for configurations that make no difference. */
export const hashConfig = (data: unknown): string => hash('sha256', JSON.stringify(data)).slice(0, HASH_LENGTH);

/**
 * Parses, interpolates and merges the file and the files that it includes.
 * @throws ConfigError when a file is not usable YAML
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export async function openConfig(name: string, env: Environment, added?: AddedText): Promise<OpenedConfig> {
  const root = openConfigFile(name, await readConfig(name), env);
  const included = openIncludes(root, env);
  const others = [...included.files, ...(added === undefined ? [] : [openConfigFile(added.name, added.text, env)])];
  const all = [root, ...others];
  const { data, problems, find } = mergeFiles(root, others);
  const names = all.map(({ source }) => source.file);
  const flaws = [...all.flatMap((file) => file.flaws), ...included.problems, ...problems];
  const interpolationProblems = all.flatMap(({ interpolated }) => interpolated.problems);
  // Stop here: everything that a broken file lacks would be reported as missing.
  if (flaws.some(({ severity }) => severity === 'error'))
    throw new ConfigError(arrangeProblems([...flaws, ...interpolationProblems], names));

  const lookups = createLookups(find);
  const locate = (finding: Finding): Problem => {
    const { file, path } = find(finding.path);
    return file.source.locate({ ...finding, path });
  };
  const located = (findings: readonly Finding[]): readonly Problem[] =>
    findings.filter(({ path, on }) => on === 'key' || lookups.isResolved(path)).map(locate);
  return {
    data,
    files: listFiles(all),
    ...lookups,
    collect: (findings) => arrangeProblems([...flaws, ...interpolationProblems, ...located(findings)], names),
  };
}
