import type { Document } from 'yaml';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import { interpolateSource, type Environment, type Interpolated } from './interpolate.ts';
import type { Problem } from '../problem.ts';
import type { Rule } from '../validate/rules.ts';
import { parseSource, type Source } from './source.ts';

/** One of the files that make up a configuration, interpolated. */
export interface Part {
  readonly source: Source;
  /** Empty where nothing could be made of the file: `flaws` say why. */
  readonly data: JsonObject;
  readonly interpolated: Interpolated;
  /** What is wrong with it as YAML. */
  readonly flaws: readonly Problem[];
}

/** How often anchors may be used: a file that grows without end when read ("billion laughs") is refused. */
const MAX_ALIASES = 100;
const TOO_MANY = `Anchors are used so often that the file would grow beyond all bounds (more than ${MAX_ALIASES} times).`;

type Read = { readonly data: JsonObject } | { readonly rule: Rule; readonly message: string };

const toData = (document: Document.Parsed): { readonly value: unknown } | undefined => {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
};

const readDocument = ({ document }: Source): Read => {
  const read = toData(document);
  if (read === undefined) return { rule: 'too-many-aliases', message: TOO_MANY };
  if (read.value === null) return { rule: 'not-a-mapping', message: 'The file is empty.' };
  return isObject(read.value)
    ? { data: read.value }
    : { rule: 'not-a-mapping', message: 'The file must consist of settings: "server:", "providers:" and so on.' };
};

const nothing: Pick<Part, 'data' | 'interpolated'> = {
  data: {},
  interpolated: { filled: new Map(), unresolved: new Set(), files: [], problems: [] },
};

/** @param file as problems name it */
export function openPart(file: string, text: string, env: Environment): Part {
  const source = parseSource(file, text);
  if (source.problems.some(({ severity }) => severity === 'error'))
    return { source, ...nothing, flaws: source.problems };
  const interpolated = interpolateSource(source, env);
  const read = readDocument(source);
  return 'data' in read
    ? { source, data: read.data, interpolated, flaws: source.problems }
    : { source, ...nothing, flaws: [...source.problems, source.problemAt(0, read.rule, read.message)] };
}
