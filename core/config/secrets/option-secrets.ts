import { isObject } from '../../canonical/json/members.ts';

/** `apiKey`, `apiKeys`, `accessToken`, `client_secret`: what a setting is called that holds a secret. */
const SECRET = /key|token|secret|password|credential|authorization|cookie/i;
export const isSecretName = (name: string): boolean => SECRET.test(name);

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value.trim()];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
};

/** Every text in the settings of an extension that stands, at any depth, under a name for secrets. */
export function findOptionSecrets(settings: unknown): readonly string[] {
  if (Array.isArray(settings)) return settings.flatMap(findOptionSecrets);
  if (!isObject(settings)) return [];
  return Object.entries(settings).flatMap(([name, value]) =>
    isSecretName(name) ? textsOf(value) : findOptionSecrets(value),
  );
}
