import type { Document } from 'yaml';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { interpolateSource, type Environment, type Interpolated } from './interpolate.ts';
import type { Problem } from '../problem.ts';
import type { Rule } from '../validate/rules.ts';
import { openSimple } from './open-simple.ts';
import { parseSource, type ParsedSource, type Source } from './source.ts';

/** One of the files that make up a configuration, parsed and interpolated. */
export interface ConfigFile {
  readonly source: Source;
  /** Empty when the file could not be parsed; `flaws` then holds the reasons. */
  readonly data: JsonObject;
  readonly interpolated: Interpolated;
  /** Problems of the file as YAML. */
  readonly flaws: readonly Problem[];
}

/** How often aliases may be used in a file, as a limit on exponential expansion ("billion laughs"). */
const MAX_ALIASES = 100;
const TOO_MANY_ALIASES = `Aliases (*name) are used more than ${MAX_ALIASES} times. Write some of the values out.`;

type Read = { readonly data: JsonObject } | { readonly rule: Rule; readonly message: string };

const toData = (document: Document.Parsed): { readonly value: unknown } | undefined => {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
};

const readDocument = ({ document }: ParsedSource): Read => {
  const read = toData(document);
  if (read === undefined) return { rule: 'too-many-aliases', message: TOO_MANY_ALIASES };
  if (read.value === null) return { rule: 'not-a-mapping', message: 'The file is empty.' };
  return isObject(read.value)
    ? { data: read.value }
    : {
        rule: 'not-a-mapping',
        message: 'The top level of the file must be a mapping of settings, such as "server:" and "providers:".',
      };
};

const empty: Pick<ConfigFile, 'data' | 'interpolated'> = {
  data: {},
  interpolated: { textAt: () => undefined, isResolved: () => true, files: [], problems: [] },
};

/** Reads a file with the library of YAML, which has the positions of its values. */
const parseConfigFile = (name: string, text: string, env: Environment): ConfigFile => {
  const source = parseSource(name, text);
  if (source.problems.some(({ severity }) => severity === 'error')) return { source, ...empty, flaws: source.problems };
  const interpolated = interpolateSource(source, env);
  const read = readDocument(source);
  return 'data' in read
    ? { source, data: read.data, interpolated, flaws: source.problems }
    : { source, ...empty, flaws: [...source.problems, source.problemAt(0, read.rule, read.message)] };
};

/** @param name the path of the file as problems show it */
export function openConfigFile(name: string, text: string, env: Environment): ConfigFile {
  const simple = openSimple(name, text, env);
  if (simple === undefined) return parseConfigFile(name, text, env);
  const { data, interpolated, has } = simple;
  let parsed: Source | undefined;
  /** A position is needed only for a problem, and for `koine config print`. */
  const parse = (): Source => (parsed ??= parseConfigFile(name, text, env).source);
  const source: Source = {
    file: name,
    has,
    locate: (finding) => parse().locate(finding),
    findKey: (path) => parse().findKey(path),
  };
  return { source, data, interpolated, flaws: [] };
}
