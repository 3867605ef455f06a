import type { Credential } from '../../core/index.ts';
import type { CompatibleOptions } from './schema.ts';

export interface Keys {
  readonly credentials: readonly Credential[];
  /** By credential id; empty for a server without keys. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The credential of a server that needs no key. */
const keyless: Keys = { credentials: [{ id: 'none' }], secrets: new Map() };

/** Names the keys `key-1`, `key-2`, …, `apiKey` first. */
export function readKeys({ apiKey = '', apiKeys = [] }: CompatibleOptions): Keys {
  const secrets = [apiKey, ...apiKeys].map((secret) => secret.trim()).filter((secret) => secret !== '');
  if (secrets.length === 0) return keyless;
  const named = secrets.map((secret, index) => [`key-${index + 1}`, secret] as const);
  return { credentials: named.map(([id]) => ({ id })), secrets: new Map(named) };
}
