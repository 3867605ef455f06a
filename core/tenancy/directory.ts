import type { KeyRecord } from '../contracts/caller.ts';
import type { KeyDirectory } from '../contracts/services.ts';
import { formatDigest } from './configured-keys.ts';
import type { StoredKeys } from './cache/stored-keys.ts';

const disableUnprovisioned = (key: KeyRecord | undefined): KeyRecord | undefined =>
  key?.unprovisioned ? { ...key, disabled: true } : key;

/**
 * Looks keys up in the configuration first, then in the stored keys.
 * @param configured those of the configuration, by the hex of their digest
 * @param refusesUnknown the keys of people are disabled for whom the directory never had a user
 */
export const joinKeys = (
  configured: ReadonlyMap<string, KeyRecord>,
  stored: StoredKeys,
  refusesUnknown = false,
): KeyDirectory => ({
  find: (key) => {
    const hex = formatDigest(key.digest);
    const found = configured.get(hex) ?? stored.find(hex, key);
    if (!refusesUnknown) return found;
    return found instanceof Promise ? found.then(disableUnprovisioned) : disableUnprovisioned(found);
  },
});
