import type { PrimaryServices, Services } from '../contracts/services.ts';

const silent = (): void => {};

/**
 * What the core lends, for tests of a plugin or a provider by itself: no key is known, nobody has limits, there is no Redis, metrics
 * lead nowhere, fetching and asking fail. Give what the test needs.
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
  fetch: () => Promise.reject(new Error('This test lends no fetch.')),
  databaseUrl: 'sqlite::memory:',
  folder: process.cwd(),
  primary: { call: () => Promise.reject(new Error('This test lends no primary instance.')) },
  shared: (_key, create) => create(),
  codec: () => undefined,
  ...given,
});

/** The same for a primary instance: nothing was spent yet, and nobody has a key. */
export const createTestPrimaryServices = ({
  spent = () => Promise.resolve(undefined),
  notifySpendingFound = silent,
  callers = () => Promise.resolve([]),
  ...given
}: Partial<PrimaryServices> = {}): PrimaryServices => ({
  ...createTestServices(given),
  spent,
  notifySpendingFound,
  callers,
});
