import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { JsonObject } from '../../canonical/wire.ts';
import { openIncludes } from './include.ts';
import type { Environment, FilledText, Filling } from './interpolate.ts';
import { mergeParts } from './merge-parts.ts';
import { openPart } from './part.ts';
import { ConfigError, type Finding, type Path, type Problem } from '../problem.ts';
import { readConfig } from './read-config.ts';
import type { Position } from './source.ts';

/** The file and those it includes as data, before it is known to be valid. */
export interface OpenedConfig {
  readonly data: JsonObject;
  /** Every file that was read or asked for, absolute: what a change of the configuration would change. */
  readonly files: readonly string[];
  /** Of all settings with what variables and files held; comments and layout make no difference. */
  readonly hash: string;
  /** Is the path written in a file (and not a default)? */
  isWritten(path: Path): boolean;
  /** May messages quote the value? Text of variables and files may hold secrets. */
  isShown(path: Path): boolean;
  /** What the `${…}` of the value stand for, in their order. */
  fillingsOf(path: Path): readonly Filling[];
  /** The text as it stands in the file, where it has a `${…}`. */
  writtenOf(path: Path): string | undefined;
  /** Could the value be made of its variables? */
  isResolved(path: Path): boolean;
  /** Where the key stands that leads to the path, or to what it would stand in. */
  findKey(path: Path): Position;
  /** Gives findings their places, in the order of the files, together with what was found so far. Echoes of unset variables are left out. */
  collect(findings: readonly Finding[]): readonly Problem[];
}

/** Enough to tell configurations apart, short enough for a label. */
const HASH_LENGTH = 16;

/** In the order of the files, each once: the same thing may be found by two steps of validation. */
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

/**
 * Parses and interpolates the file and what it includes, and puts them together.
 * @throws ConfigError when there is nothing to go on with
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export async function openConfig(file: string, env: Environment): Promise<OpenedConfig> {
  const root = openPart(file, await readConfig(file), env);
  const included = openIncludes(root, env);
  const parts = [root, ...included.parts];
  const { data, problems, find } = mergeParts(root, included.parts);
  const names = parts.map(({ source }) => source.file);
  const flaws = [...parts.flatMap((part) => part.flaws), ...included.problems, ...problems];
  const unfilled = parts.flatMap(({ interpolated }) => interpolated.problems);
  // What is missing then would be found missing everywhere.
  if (flaws.some(({ severity }) => severity === 'error'))
    throw new ConfigError(arrangeProblems([...flaws, ...unfilled], names));

  const locate = (finding: Finding): Problem => {
    const { part, path } = find(finding.path);
    return part.source.locate({ ...finding, path });
  };
  const isResolved = (whole: Path): boolean => {
    const { part, path } = find(whole);
    const scalar = part.source.scalar(path);
    return scalar === undefined || !part.interpolated.unresolved.has(scalar);
  };
  const filledAt = (whole: Path): FilledText | undefined => {
    const { part, path } = find(whole);
    const scalar = part.source.scalar(path);
    return scalar && part.interpolated.filled.get(scalar);
  };
  return {
    data,
    files: [
      ...new Set([...names.map((name) => resolve(name)), ...parts.flatMap(({ interpolated }) => interpolated.files)]),
    ],
    hash: hash('sha256', JSON.stringify(data)).slice(0, HASH_LENGTH),
    isWritten: (whole) => {
      const { part, path } = find(whole);
      return part.source.has(path);
    },
    isShown: (path) => filledAt(path) === undefined,
    fillingsOf: (path) => filledAt(path)?.fillings ?? [],
    writtenOf: (path) => filledAt(path)?.written,
    findKey: (whole) => {
      const { part, path } = find(whole);
      return part.source.findKey(path);
    },
    isResolved,
    collect: (findings) =>
      arrangeProblems(
        [...flaws, ...unfilled, ...findings.filter(({ path, on }) => on === 'key' || isResolved(path)).map(locate)],
        names,
      ),
  };
}
