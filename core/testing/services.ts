import type { PrimaryServices, Services } from '../contracts/services.ts';
import { openOwnTable } from '../services/shared-memory/tables.ts';

const silent = (): void => {};

/**
 * Services for tests of a single plugin or provider: no keys, no limits, no Redis, metrics without effect, `fetch` and
 * `primary.call` reject. Pass replacements for those that the test needs.
 */
export const createTestServices = (given: Partial<Services> = {}): Services => ({
  log: { info: silent, warn: silent, error: silent },
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  keys: { find: () => undefined },
  tenancy: { scopes: () => [] },
  redis: undefined,
  metrics: {
    counter: () => ({ bind: () => silent }),
    gauge: () => ({ bind: () => silent }),
    histogram: () => ({ bind: () => silent }),
    snapshot: () => Promise.resolve([]),
  },
  fetch: () => Promise.reject(new Error('This test has no fetch.')),
  databaseUrl: 'sqlite::memory:',
  folder: process.cwd(),
  primary: { call: () => Promise.reject(new Error('This test has no primary instance.')) },
  shared: (_key, create) => create(),
  sharedTable: openOwnTable,
  codec: () => undefined,
  ...given,
});

/** Services for a primary instance: no past spending, no keys, and alerts without effect. */
export const createTestPrimaryServices = ({
  spent = () => Promise.resolve(undefined),
  notifySpendingFound = silent,
  callers = () => Promise.resolve({ callers: [] }),
  alert = () => Promise.resolve(true),
  ...given
}: Partial<PrimaryServices> = {}): PrimaryServices => ({
  ...createTestServices(given),
  spent,
  notifySpendingFound,
  callers,
  alert,
});
