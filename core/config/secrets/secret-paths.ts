import { isObject } from '../../canonical/json/members.ts';
import { isSecretName } from './option-secrets.ts';
import type { Path } from '../problem.ts';

/** Secrets of the gateway's own settings, `*` for any name. The paths of TLS files are none. */
const own: readonly (readonly string[])[] = [
  ['admin', 'token'],
  ['organizations', '*', 'projects', '*', 'keys', '*', 'key'],
];

const matches = (path: Path, pattern: readonly string[]): boolean =>
  path.length === pattern.length && pattern.every((segment, index) => segment === '*' || segment === path[index]);

/** Where the settings of an extension begin: `providers.<name>.config`, `plugins[0].config`. */
export const OPTIONS_DEPTH = 3;
export const isOption = (path: Path): boolean =>
  path.length > OPTIONS_DEPTH && (path[0] === 'providers' || path[0] === 'plugins') && path[2] === 'config';

/**
 * Does a secret stand at the path, by the name of the setting? In the settings of extensions all beneath such a name is
 * one, and so is every header.
 */
export const isSecretPath = (path: Path): boolean =>
  own.some((pattern) => matches(path, pattern)) ||
  (isOption(path) &&
    path
      .slice(OPTIONS_DEPTH)
      .some((segment) => typeof segment === 'string' && (segment === 'headers' || isSecretName(segment))));

/** Every value of the data that holds no others, with its path. */
export const collectScalars = function* (
  value: unknown,
  path: Path = [],
): Generator<readonly [path: Path, scalar: unknown]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* collectScalars(item, [...path, index]);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) yield* collectScalars(member, [...path, name]);
  else yield [path, value];
};

/** Every text among them. */
export const collectTexts = function* (data: unknown): Generator<readonly [path: Path, text: string]> {
  for (const [path, scalar] of collectScalars(data)) if (typeof scalar === 'string') yield [path, scalar];
};
