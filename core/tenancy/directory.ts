import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Clock, KeyDirectory, Log } from '../contracts/services.ts';
import { formatDigest, loadConfiguredKeys } from './configured-keys.ts';
import type { KeyTable } from './key-table.ts';
import { createStoredKeys, type StoredKeys } from './stored-keys.ts';

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Gets one line when the database fails, and one when it works again. */
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

/** Looks keys up in the configuration first, then in the stored keys. */
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
 * * Looks keys up by the digest of the whole text, first in the configuration, then in the database. Keys of the
 * configuration never depend on the database.
 */
export const createKeyDirectory = ({ organizations, ...parts }: Parts): KeyDirectory =>
  joinKeys(organizations, createStoredKeys(parts));
