import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Document } from 'yaml';
import { isObject } from '../canonical/members.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { interpolateSource, type Environment } from './interpolate.ts';
import { ConfigError, type Finding, type Path, type Problem } from './problem.ts';
import { parseSource, type Source } from './source.ts';

/** The file as data, before it is known to be valid. */
export interface OpenedFile {
  readonly source: Source;
  readonly data: JsonObject;
  /** Every file that was read or asked for, absolute: what a change of the configuration would change. */
  readonly files: readonly string[];
  /** Of all settings with what variables and files held; comments and layout make no difference. */
  readonly hash: string;
  /** May messages quote the value? Text of variables and files may hold secrets. */
  isShown(path: Path): boolean;
  /** Could the value be made of its variables? */
  isResolved(path: Path): boolean;
  /** Gives findings their places, in the order of the file, together with what was found so far. Echoes of unset variables are left out. */
  collect(findings: readonly Finding[]): readonly Problem[];
}

/** How often anchors may be used: a file that grows without end when read ("billion laughs") is refused. */
const MAX_ALIASES = 100;

/** Enough to tell configurations apart, short enough for a label. */
const HASH_LENGTH = 16;

const readDocument = (source: Source): JsonObject => {
  const refuse = (rule: string, message: string): ConfigError => new ConfigError([...source.problems, source.problemAt(0, rule, message)]);
  const data = toData(source.document, () => refuse('too-many-aliases', `Anchors are used so often that the file would grow beyond all bounds (more than ${MAX_ALIASES} times).`));
  if (data === null) throw refuse('not-a-mapping', 'The file is empty.');
  if (!isObject(data)) throw refuse('not-a-mapping', 'The file must consist of settings: "server:", "providers:" and so on.');
  return data;
};

const toData = (document: Document.Parsed, refuse: () => ConfigError): unknown => {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof ReferenceError) throw refuse();
    throw error;
  }
};

/** In the order of the file, each once: the same thing may be found by two steps of validation. */
const arrangeProblems = (problems: readonly Problem[]): readonly Problem[] =>
  [...new Map(problems.map((problem) => [`${problem.line}:${problem.column} ${problem.rule} ${problem.message}`, problem])).values()].toSorted(
    (one, other) => one.line - other.line || one.column - other.column,
  );

/**
 * Parses and interpolates.
 * @throws ConfigError when there is nothing to go on with
 */
export const openFile = (file: string, text: string, env: Environment): OpenedFile => {
  const source = parseSource(file, text);
  if (source.problems.some(({ severity }) => severity === 'error')) throw new ConfigError(arrangeProblems(source.problems));
  const { filled, unresolved, files, problems } = interpolateSource(source, env);
  const data = readDocument(source);
  const isIn = (path: Path, marked: typeof filled): boolean => {
    const scalar = source.scalar(path);
    return scalar !== undefined && marked.has(scalar);
  };
  const isResolved = (path: Path): boolean => !isIn(path, unresolved);
  return {
    source,
    data,
    files: [resolve(file), ...files],
    hash: hash('sha256', JSON.stringify(data)).slice(0, HASH_LENGTH),
    isShown: (path) => !isIn(path, filled),
    isResolved,
    collect: (findings) => arrangeProblems([...source.problems, ...problems, ...findings.filter(({ path, on }) => on === 'key' || isResolved(path)).map(source.locate)]),
  };
};
