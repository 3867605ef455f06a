import { isObject } from '../../canonical/json/members.ts';
import type { Path } from '../problem.ts';
import { maskUrlSecrets } from './mask-secrets.ts';

/**
 * The data of a configuration with empty texts for its secrets, for a hash that is shown. A hash of secrets would show
 * whether a guess is right to everyone who knows the other settings.
 */
export function withoutSecrets(data: unknown, isSecret: (path: Path) => boolean): unknown {
  const path: (string | number)[] = [];
  const copyMember = (name: string | number, value: unknown): unknown => {
    path.push(name);
    const copied = copy(value);
    path.pop();
    return copied;
  };
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => copyMember(index, item));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyMember(name, member)]));
    if (isSecret(path)) return '';
    return typeof value === 'string' ? maskUrlSecrets(value, () => '') : value;
  };
  return copy(data);
}
