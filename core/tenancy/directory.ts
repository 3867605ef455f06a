import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Clock, KeyDirectory, Log } from '../contracts/services.ts';
import { formatDigest, loadConfiguredKeys } from './configured-keys.ts';
import type { KeyTable } from './key-table.ts';
import { createStoredKeys } from './stored-keys.ts';

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Told once when the database stops answering, and once when it answers again. */
  readonly log?: Pick<Log, 'warn' | 'info'>;
}

/**
 * Looks a key up by the digest of its whole text: first in the configuration, then in the database.
 * Keys of the configuration never depend on the database.
 */
export const createKeyDirectory = ({ organizations, table, clock, log }: Parts): KeyDirectory => {
  const configured = loadConfiguredKeys(organizations);
  const stored = createStoredKeys({ table, clock, ...(log === undefined ? {} : { log }) });
  return {
    find: (key) => {
      const hex = formatDigest(key.digest);
      return configured.get(hex) ?? stored.find(hex, key);
    },
  };
};
