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

/** The key that the first start created. `secret` exists only here: show it once and do not store it. */
export interface FirstKey {
  readonly name: string;
  readonly organization: string;
  readonly project: string;
  readonly secret: string;
}

/**
 * Creates a key when neither the configuration nor the database has one, so that a new gateway can be used. When
 * several processes start at once, one creates it. The others, and every later start, get undefined.
 */
export async function createFirstKey({ organizations, table, clock }: Parts): Promise<FirstKey | undefined> {
  if (loadConfiguredKeys(organizations).size > 0) return undefined;
  const { text: secret, ...key } = createKey();
  const owner = { name: 'default', organization: 'default', project: 'default' };
  const inserted = await table.insertFirst({ ...owner, key, models: [], createdAt: clock.now() });
  return inserted ? { ...owner, secret } : undefined;
}
