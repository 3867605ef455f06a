import { expect } from 'chai';
import { createTestPrimaryServices } from '../../../core/testing/services.ts';
import { openCounts } from '../../../plugins/rate-limit/primary-link.ts';
import { createPrimary } from '../../../plugins/rate-limit/primary.ts';
import type { MemoryStore } from '../../../plugins/rate-limit/store/memory-store.ts';
import type { Bucket, Charge } from '../../../plugins/rate-limit/store/store.ts';
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

const clock = createTestClock();
const linkTo = (primary: PrimaryInstance, worker: number): Promise<MemoryStore> =>
  openCounts({ call: async (message) => primary.handle?.(message, worker) }, clock);

const left = (store: MemoryStore): readonly number[] => store.peek('acme', charges).map(({ remaining }) => remaining);
const take = (store: MemoryStore, id: string): unknown =>
  store.reserve({ id, tenant: 'acme', leaseMs: 60_000, charges });

describe('rate-limit: the instance in the main thread', () => {
  it('several threads count together in the memory of the primary instance', async () => {
    const primary = createPrimary(defaults, createTestPrimaryServices({ clock }));
    const [one, two] = [await linkTo(primary, 1), await linkTo(primary, 2)];
    expect(take(one, 'a')).to.include({ admitted: true });
    expect(take(two, 'b')).to.include({ admitted: true });
    expect(take(one, 'c')).to.deep.include({ admitted: false }).and.to.have.nested.property('refusedBy.charge', 0);
    expect(two.settle('acme', 'b', [0, 1, 0])).not.to.equal(undefined);
    expect(take(one, 'c')).to.include({ admitted: true });
    one.refresh('acme', ['a', 'c'], 60_000);
    expect(left(two)).to.deep.equal([20, 7, 3]);
  });

  it('gives back what an ended thread held, except for its requests', async () => {
    const primary = createPrimary(defaults, createTestPrimaryServices({ clock }));
    const [one, two] = [await linkTo(primary, 1), await linkTo(primary, 2)];
    take(one, 'a');
    take(two, 'b');
    take(one, 'refused');
    one.settle('acme', 'a', [10, 1, 0]);
    take(one, 'c');
    primary.onWorkerExit?.(1);
    expect(left(two)).to.deep.equal([50, 7, 4]);
    primary.onWorkerExit?.(1);
    expect(left(two)).to.deep.equal([50, 7, 4]);
  });

  it('the primary instance keeps its counts after a reload', async () => {
    const kept = new Map<string, unknown>();
    const shared = <T>(key: string, create: () => T): T => {
      if (!kept.has(key)) kept.set(key, create());
      return kept.get(key) as T;
    };
    const services = createTestPrimaryServices({ clock, shared });
    take(await linkTo(createPrimary(defaults, services), 1), 'a');
    expect(left(await linkTo(createPrimary(defaults, services), 1))).to.deep.equal([60, 9, 4]);
  });
});
