import type { Credential } from '../../core/index.ts';
import type { CompatibleOptions } from './schema.ts';

export interface Keys {
  readonly credentials: readonly Credential[];
  /** By the id of the credential; without a key there is none. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** A server that asks for no key is called with the one credential there is. */
const keyless: Keys = { credentials: [{ id: 'none' }], secrets: new Map() };

/** `key-1`, `key-2`, …: the key of `apiKey` first. */
export function readKeys({ apiKey = '', apiKeys = [] }: CompatibleOptions): Keys {
  const secrets = [apiKey, ...apiKeys].map((secret) => secret.trim()).filter((secret) => secret !== '');
  if (secrets.length === 0) return keyless;
  const named = secrets.map((secret, index) => [`key-${index + 1}`, secret] as const);
  return { credentials: named.map(([id]) => ({ id })), secrets: new Map(named) };
}
