import { expect } from 'chai';
import { createTestPrimaryServices } from '../../../core/testing/services.ts';
import { PrimaryStore } from '../../../plugins/rate-limit/store/primary-store.ts';
import { createPrimary, type Counts } from '../../../plugins/rate-limit/primary.ts';
import type { Bucket, Charge, LimitStore } from '../../../plugins/rate-limit/store/store.ts';
import type { PrimaryInstance } from '../../../core/api/index.ts';
import { createTestClock, defaults } from './setup.ts';

const tokens: Bucket = { key: 'tokens', kind: 'window', limit: 100, per: 60_000, rate: 100, enforce: true };
const requests: Bucket = { key: 'requests', kind: 'window', limit: 10, per: 60_000, rate: 10, enforce: true };
const places: Bucket = { key: 'places', kind: 'leases', limit: 5, per: 0, rate: 5, enforce: true };
const charges: readonly Charge[] = [
  { bucket: tokens, amount: 40 },
  { bucket: requests, amount: 1, kept: 1 },
  { bucket: places, amount: 1 },
];

/** Messages are JSON in both directions, as between processes. */
const linkTo = (primary: PrimaryInstance, worker: number): LimitStore =>
  new PrimaryStore(
    {
      call: async (message) => {
        const answer = await primary.handle?.(JSON.parse(JSON.stringify(message)), worker);
        return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
      },
    },
    () => expect.fail('the primary failed'),
  );

const left = async (store: LimitStore): Promise<readonly number[]> =>
  (await store.peek('acme', charges)).map(({ remaining }) => remaining);
const take = (store: LimitStore, id: string): unknown =>
  store.reserve({ id, tenant: 'acme', leaseMs: 60_000, charges });

describe('rate-limit: the instance in the primary process', () => {
  it('the primary instance counts several processes together', async () => {
    const primary = createPrimary(defaults, createTestPrimaryServices({ clock: createTestClock() }));
    const [one, two] = [linkTo(primary, 1), linkTo(primary, 2)];
    expect(await take(one, 'a')).to.include({ admitted: true });
    expect(await take(two, 'b')).to.include({ admitted: true });
    expect(await take(one, 'c')).to.deep.include({ admitted: false, refusedBy: { charge: 0, waitMs: 61_000 } });
    expect(await two.settle('acme', 'b', [0, 1, 0])).not.to.equal(undefined);
    expect(await take(one, 'c')).to.include({ admitted: true });
    await one.refresh('acme', ['a', 'c'], 60_000);
    expect(await left(two)).to.deep.equal([20, 7, 3]);
  });

  it('gives back what an ended process held, except for its requests', async () => {
    const primary = createPrimary(defaults, createTestPrimaryServices({ clock: createTestClock() }));
    const [one, two] = [linkTo(primary, 1), linkTo(primary, 2)];
    await take(one, 'a');
    await take(two, 'b');
    await take(one, 'refused');
    await one.settle('acme', 'a', [10, 1, 0]);
    await take(one, 'c');
    primary.onWorkerExit?.(1);
    expect(await left(two)).to.deep.equal([50, 7, 4]);
    primary.onWorkerExit?.(1);
    expect(await left(two)).to.deep.equal([50, 7, 4]);
    expect(await one.settle('acme', 'c', [99, 1, 0])).to.equal(undefined);
  });

  it('the primary instance keeps nothing of a settled reservation', async () => {
    let counts: Counts | undefined;
    const shared = <T>(key: string, create: () => T): T => {
      const created = create();
      if (key === 'rate-limit/counts') counts = created as Counts;
      return created;
    };
    const store = linkTo(createPrimary(defaults, createTestPrimaryServices({ clock: createTestClock(), shared })), 1);
    await take(store, 'a');
    expect(counts?.held.get(1)?.size).to.equal(1);
    await store.settle('acme', 'a', [0, 0, 0]);
    expect(counts?.held.get(1)?.size).to.equal(0);
  });

  it('the primary instance keeps its counts after a reload', async () => {
    const kept = new Map<string, unknown>();
    const shared = <T>(key: string, create: () => T): T => {
      if (!kept.has(key)) kept.set(key, create());
      return kept.get(key) as T;
    };
    const services = createTestPrimaryServices({ clock: createTestClock(), shared });
    await take(linkTo(createPrimary(defaults, services), 1), 'a');
    expect([...kept.keys()]).to.deep.equal(['rate-limit/counts', 'rate-limit/webhook']);
    expect(await left(linkTo(createPrimary(defaults, services), 1))).to.deep.equal([60, 9, 4]);
  });

  it('the primary instance gives back a reservation that it made after the caller had timed out', async () => {
    const primary = createPrimary(defaults, createTestPrimaryServices({ clock: createTestClock() }));
    let late = true;
    const failures: string[] = [];
    const call = async (message: unknown): Promise<unknown> => {
      const answer = await primary.handle?.(message, 1);
      if (late) throw new Error('The primary instance did not respond within 1000 ms.');
      return answer;
    };
    const store = new PrimaryStore({ call }, (operation) => void failures.push(operation));
    let error: unknown;
    try {
      await take(store, 'late');
    } catch (thrown) {
      error = thrown;
    }
    expect(String(error)).to.include('did not respond');
    late = false;
    await new Promise((resolve) => setImmediate(resolve));
    expect(failures).to.deep.equal(['reserve']);
    expect(await left(store)).to.deep.equal([100, 10, 5]);
  });
});
