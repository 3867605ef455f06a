import { GatewayError } from '../../api/index.ts';
import { expectNone } from '../check.ts';

const junk: readonly unknown[] = [
  null,
  'x',
  '',
  -1,
  0.5,
  1e300,
  true,
  [],
  {},
  [null],
  ['x'],
  [[]],
  { type: 'koine_unknown' },
];

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A copy with the value at `path` replaced. Siblings are shared. */
const replaceAt = (value: unknown, path: readonly string[], replacement: unknown): unknown => {
  const [key, ...below] = path;
  if (key === undefined || !isContainer(value)) return replacement;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === key ? replaceAt(item, below, replacement) : item));
  return { ...value, [key]: replaceAt((value as Record<string, unknown>)[key], below, replacement) };
};

const listPaths = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  isContainer(value)
    ? [path, ...Object.entries(value).flatMap(([key, child]) => listPaths(child, [...path, key]))]
    : [path];

export interface Mutation {
  /** For example `messages.0.content = null`. */
  readonly name: string;
  readonly value: unknown;
}

/** Copies of the value, each with one member replaced by an unexpected value. At most `limit`, spread evenly. */
export function mutate(value: unknown, limit = 400): Mutation[] {
  const all = listPaths(value).flatMap((path) => junk.map((replacement) => ({ path, replacement })));
  const step = Math.max(1, all.length / limit);
  return Array.from({ length: Math.min(limit, all.length) }, (_, index) => all[Math.floor(index * step)])
    .filter((found) => found !== undefined)
    .map(({ path, replacement }) => ({
      name: `${path.join('.') || 'body'} = ${JSON.stringify(replacement)}`,
      value: replaceAt(value, path, replacement),
    }));
}

/**
 * A damaged body is read, or refused with a `GatewayError`.
 * @param read reads a body. @returns what is wrong with the result
 */
export function expectReadOrRefused(body: unknown, read: (value: unknown) => readonly string[]): void {
  const problems = mutate(body).flatMap(({ name, value }) => {
    try {
      return read(value).map((problem) => `${name}: ${problem}`);
    } catch (thrown) {
      return GatewayError.is(thrown) ? [] : [`${name}: ${String(thrown)}`];
    }
  });
  expectNone(problems.slice(0, 20), `${problems.length} bodies are not read properly`);
}
