import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Clock, KeyDirectory, KeyRecord, Log } from '../contracts/services.ts';
import { formatDigest, loadConfiguredKeys } from './configured-keys.ts';
import type { KeyTable } from './key-table.ts';
import { createStoredKeys, type StoredKeys } from './cache/stored-keys.ts';

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'find' | 'readChanges'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Gets one line when the database fails, and one when it works again. */
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

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

/**
 * * Looks keys up by the digest of the whole text, first in the configuration, then in the database. Keys of the
 * configuration never depend on the database.
 */
export const createKeyDirectory = ({ organizations, ...parts }: Parts): KeyDirectory =>
  joinKeys(loadConfiguredKeys(organizations), createStoredKeys(parts));
