import { isObject } from '../../canonical/json/members.ts';
import { isSecretName, RENAME } from './option-secrets.ts';
import type { Path } from '../problem.ts';

/** The secret settings of the gateway; `*` matches any name. Paths of the listeners' TLS files are not secret. */
const gatewaySecrets: readonly (readonly string[])[] = [
  ['admin', 'token'],
  ['admin', 'oidc', 'clientSecret'],
  ['admin', 'scim', 'token'],
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

/** Every value of the data that is not an object or a list, with its path. */
export function collectScalars(
  value: unknown,
  path: Path = [],
  found: (readonly [path: Path, scalar: unknown])[] = [],
): readonly (readonly [path: Path, scalar: unknown])[] {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) collectScalars(item, [...path, index], found);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) collectScalars(member, [...path, name], found);
  else found.push([path, value]);
  return found;
}

const isText = (scalar: readonly [Path, unknown]): scalar is readonly [Path, string] => typeof scalar[1] === 'string';

/** Every string of the data, with its path. */
export const collectTexts = (data: unknown): readonly (readonly [path: Path, text: string])[] =>
  collectScalars(data).filter(isText);
