import { isObject } from '../../canonical/json/members.ts';
import type { Path } from '../problem.ts';
import { maskUrlSecrets } from './mask-secrets.ts';

/**
 * The data of a configuration with empty texts for its secrets, for a hash that is shown. A hash of secrets would show
 * whether a guess is right to everyone who knows the other settings.
 */
export function withoutSecrets(data: unknown, isSecret: (path: Path) => boolean, path: Path = []): unknown {
  if (Array.isArray(data)) return data.map((item, index) => withoutSecrets(item, isSecret, [...path, index]));
  if (isObject(data))
    return Object.fromEntries(
      Object.entries(data).map(([name, member]) => [name, withoutSecrets(member, isSecret, [...path, name])]),
    );
  if (isSecret(path)) return '';
  return typeof data === 'string' ? maskUrlSecrets(data, () => '') : data;
}
