import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Clock, KeyDirectory, Log } from '../contracts/services.ts';
import { formatDigest, loadConfiguredKeys } from './configured-keys.ts';
import type { KeyTable } from './key-table.ts';
import { createStoredKeys, type StoredKeys } from './stored-keys.ts';

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Told once when the database stops answering, and once when it answers again. */
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

/** Keys of the configuration before those that are stored. */
export function joinKeys(organizations: GatewayConfig['organizations'], stored: StoredKeys): KeyDirectory {
  const configured = loadConfiguredKeys(organizations);
  return {
    find: (key) => {
      const hex = formatDigest(key.digest);
      return configured.get(hex) ?? stored.find(hex, key);
    },
  };
}

/**
 * Looks a key up by the digest of its whole text: first in the configuration, then in the database.
 * Keys of the configuration never depend on the database.
 */
export const createKeyDirectory = ({ organizations, ...parts }: Parts): KeyDirectory =>
  joinKeys(organizations, createStoredKeys(parts));
