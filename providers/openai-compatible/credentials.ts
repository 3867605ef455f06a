import type { Credential } from '../../core/api/index.ts';
import { versionSecret } from '../../core/api/internal.ts';
import type { CompatibleOptions } from './schema.ts';

export interface Keys {
  readonly credentials: readonly Credential[];
  /** By credential id; empty for a server without keys. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Names the keys `key-1`, `key-2`, …, `apiKey` first. The credential of a server without keys is `none`. Headers and
 * query parameters can be secrets as well, so they count for the versions.
 */
export function readKeys({ apiKey = '', apiKeys = [], headers, query }: CompatibleOptions): Keys {
  const versionOf = (secret: string): string => versionSecret(JSON.stringify([secret, headers, query]));
  const secrets = [apiKey, ...apiKeys].map((secret) => secret.trim()).filter((secret) => secret !== '');
  if (secrets.length === 0) return { credentials: [{ id: 'none', version: versionOf('') }], secrets: new Map() };
  const named = secrets.map((secret, index) => [`key-${index + 1}`, secret] as const);
  return { credentials: named.map(([id, secret]) => ({ id, version: versionOf(secret) })), secrets: new Map(named) };
}
