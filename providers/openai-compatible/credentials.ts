import type { ApiKeys, Services } from '../../core/api/index.ts';
import { createKeys } from '../../core/api/internal.ts';
import type { CompatibleOptions } from './schema.ts';

/**
 * Names the keys `key-1`, `key-2`, …, `apiKey` first. The credential of a server without keys is `none`, and its secret
 * is empty. Headers and query parameters can be secrets as well, so they count for the versions.
 */
export function readKeys(
  { apiKey = '', apiKeys = [], headers, query }: CompatibleOptions,
  services: Services,
): ApiKeys {
  const given = [apiKey, ...apiKeys].filter((secret) => typeof secret !== 'string' || secret.trim() !== '');
  const secrets = given.map((secret, index) => [`key-${index + 1}`, secret] as const);
  return createKeys(
    new Map(secrets.length === 0 ? [['none', '']] : secrets),
    services,
    JSON.stringify([headers, query]),
  );
}
