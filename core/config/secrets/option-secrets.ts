import { isObject } from '../../canonical/json/members.ts';

/** Matches names of secret settings, such as `apiKey`, `apiKeys`, `accessToken` and `client_secret`. */
const SECRET = /key|token|secret|password|credential|authorization|cookie/i;
export const isSecretName = (name: string): boolean => SECRET.test(name);

/** Members of `{ file }` and `{ exec }`. Masking a path or the words of a command in every text would hide too much. */
const ofSource: ReadonlySet<string> = new Set(['file', 'exec', 'every']);

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value.trim()];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => (ofSource.has(name) ? [] : textsOf(member)))
    : [];
};

/** A setting of this name has names on both sides, such as `max_tokens`, and no values. */
export const RENAME = 'rename';

/** Every string in the settings of an extension that is below the name of a secret, at any depth. */
export function findOptionSecrets(settings: unknown): readonly string[] {
  if (Array.isArray(settings)) return settings.flatMap(findOptionSecrets);
  if (!isObject(settings)) return [];
  return Object.entries(settings).flatMap(([name, value]) =>
    isSecretName(name) ? textsOf(value) : name === RENAME ? [] : findOptionSecrets(value),
  );
}
