import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Clock } from '../contracts/services.ts';
import { loadConfiguredKeys } from './configured-keys.ts';
import { createKey } from './key-format.ts';
import type { KeyTable } from './key-table.ts';

interface Parts {
  readonly organizations: GatewayConfig['organizations'];
  readonly table: Pick<KeyTable, 'insertFirst'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The key that a first start made. `secret` exists only here: whoever holds this shows it once and forgets it. */
export interface FirstKey {
  readonly name: string;
  readonly organization: string;
  readonly project: string;
  readonly secret: string;
}

/**
 * Makes the first key where there is none at all, neither in the configuration nor in the database, so that a fresh
 * gateway can be used. Of several processes that start at once one makes it; the others, and every later start, get
 * `undefined`.
 */
export async function createFirstKey({ organizations, table, clock }: Parts): Promise<FirstKey | undefined> {
  if (loadConfiguredKeys(organizations).size > 0) return undefined;
  const { text: secret, ...key } = createKey();
  const owner = { name: 'default', organization: 'default', project: 'default' };
  const inserted = await table.insertFirst({ ...owner, key, models: [], createdAt: clock.now() });
  return inserted ? { ...owner, secret } : undefined;
}
