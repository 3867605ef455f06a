import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import {
  createEvaluation,
  fillText,
  type Environment,
  type InterpolatedText,
  type Interpolated,
} from './interpolate.ts';
import type { Path } from '../problem.ts';
import { SimpleReader } from './simple-yaml.ts';

/** A file that was read without the library of YAML. It has no problems as YAML, and no positions. */
export interface SimpleFile {
  readonly data: JsonObject;
  readonly interpolated: Interpolated;
  /** Whether the file sets the path, also after defaults were added to the data. */
  has(path: Path): boolean;
}

const hasPath = (value: unknown, [segment, ...below]: Path): boolean => {
  if (segment === undefined) return true;
  if (Array.isArray(value))
    return typeof segment === 'number' && segment in value && hasPath(value[segment] as unknown, below);
  return isObject(value) && Object.hasOwn(value, segment) && hasPath(value[segment], below);
};

/** A section is read again for the first question about it, since the data have defaults by then. */
const createHas = (text: string, { sections }: SimpleReader): SimpleFile['has'] => {
  const written = new Map<string, unknown>();
  return ([first, ...below]) => {
    if (first === undefined) return true;
    const name = String(first);
    const offset = sections.get(name);
    if (offset === undefined || below.length === 0) return offset !== undefined;
    if (!written.has(name)) written.set(name, new SimpleReader(text, (value) => value).readSection(offset));
    return hasPath(written.get(name), below);
  };
};

/**
 * Reads a file of simple YAML, and replaces its `${…}`. Undefined for any other file, and for one with any problem.
 * @param name the path of the file
 */
export function openSimple(name: string, text: string, env: Environment): SimpleFile | undefined {
  const { evaluate, files } = createEvaluation(name, env);
  const texts = new Map<string, InterpolatedText>();
  const reader = new SimpleReader(text, (written, path) => {
    const filled = fillText(written, evaluate);
    if (filled !== undefined && filled.substitutions.length > 0)
      texts.set(JSON.stringify(path), { written, substitutions: filled.substitutions });
    return filled?.text;
  });
  const data = reader.read();
  if (!isObject(data)) return undefined;
  const interpolated: Interpolated = {
    textAt: (path) => (texts.size === 0 ? undefined : texts.get(JSON.stringify(path))),
    isResolved: () => true,
    files: [...files],
    problems: [],
  };
  return { data, interpolated, has: createHas(text, reader) };
}
