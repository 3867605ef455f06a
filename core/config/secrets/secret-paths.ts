import { isSecretName, RENAME } from './option-secrets.ts';
import type { Path } from '../problem.ts';

/** The secret settings of the gateway; `*` matches any name. Paths of the listeners' TLS files are not secret. */
const gatewaySecrets: readonly (readonly string[])[] = [
  ['admin', 'token'],
  ['admin', 'oidc', 'clientSecret'],
  ['admin', 'scim', 'token'],
  ['alerts', 'webhook', 'secret'],
  ['alerts', 'email', 'password'],
  ['attribution', 'secret'],
  ['store', 'redis', 'password'],
  ['store', 'redis', 'sentinel', 'password'],
  ['store', 'redis', 'tls', 'key'],
  ['providers', '*', 'tls', 'key'],
  ['organizations', '*', 'projects', '*', 'keys', '*', 'key'],
];

const matches = (path: Path, pattern: readonly string[]): boolean =>
  path.length === pattern.length && pattern.every((segment, index) => segment === '*' || segment === path[index]);

/** The path length of `providers.<name>.config` and `plugins[0].config`, which contain the settings of an extension. */
export const OPTIONS_DEPTH = 3;
export const isOption = (path: Path): boolean =>
  path.length > OPTIONS_DEPTH && (path[0] === 'providers' || path[0] === 'plugins') && path[2] === 'config';

/** An argument of a program that prints a secret. It should not be secret itself, but is never shown. */
export const isArgument = (path: Path): boolean => path.at(-2) === 'exec' && path.at(-1) !== 0;

/** `{ file }` and `{ exec }` name where a secret comes from. */
const isOfSource = (path: Path): boolean => {
  const [before, last] = path.slice(-2);
  return last === 'file' || last === 'every' || (before === 'exec' && last === 0);
};

/**
 * Whether the names in a path mark the value as a secret. In the settings of extensions, everything below the name of a
 * secret is one, and so is every header.
 */
export const isSecretPath = (path: Path): boolean =>
  gatewaySecrets.some((pattern) => matches(path, pattern)) ||
  (isOption(path) &&
    !path.includes(RENAME, OPTIONS_DEPTH) &&
    !isOfSource(path) &&
    path
      .slice(OPTIONS_DEPTH)
      .some((segment) => typeof segment === 'string' && (segment === 'headers' || isSecretName(segment))));

const keyDigest = ['organizations', '*', 'projects', '*', 'keys', '*', 'sha256'];

/** Whether a value must not be shown: a secret, or a digest by which weak keys are guessed. */
export const isHiddenPath = (path: Path): boolean => isSecretPath(path) || matches(path, keyDigest);

type Placed<T> = readonly [path: Path, scalar: T];

/**
 * Every value of the data that is not an object or a list, with its path.
 * @param accepts leaves out others before their paths are made: a large catalog has 100,000 values
 */
export function collectScalars<T = unknown>(
  data: unknown,
  accepts: (scalar: unknown) => scalar is T = (_scalar): _scalar is T => true,
): readonly Placed<T>[] {
  const found: Placed<T>[] = [];
  const path: (string | number)[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) {
      if (accepts(value)) found.push([[...path], value]);
      return;
    }
    const members: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    for (const name of members) {
      path.push(name);
      collect((value as Readonly<Record<string | number, unknown>>)[name]);
      path.pop();
    }
  };
  collect(data);
  return found;
}

/** Every string of the data, with its path. @param accepts leaves out others */
export const collectTexts = (data: unknown, accepts?: (text: string) => boolean): readonly Placed<string>[] =>
  collectScalars(
    data,
    (scalar): scalar is string => typeof scalar === 'string' && (accepts === undefined || accepts(scalar)),
  );
