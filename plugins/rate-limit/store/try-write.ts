import { randomUUID } from 'node:crypto';
import type { LimitStore } from './store.ts';

const LEASE_MS = 1_000;

/**
 * Makes and settles a reservation in a bucket that never refuses: a store that responds to a ping may reject writes.
 * @throws what the store throws
 */
export async function tryWrite(store: LimitStore): Promise<void> {
  const [tenant, id] = ['koine', randomUUID()];
  const bucket = { key: 'probe', kind: 'leases', limit: 1, per: 0, rate: 1, enforce: false } as const;
  await store.reserve({ id, tenant, leaseMs: LEASE_MS, charges: [{ bucket, amount: 1 }] });
  await store.settle(tenant, id, [0]);
}
