import { expect } from 'chai';
import { Leases, readLease } from '../../../../plugins/rate-limit/admission/leases.ts';
import type { LimitStore } from '../../../../plugins/rate-limit/store/store.ts';
import { createTestClock, type TestClock } from '../setup.ts';

interface TestStore extends LimitStore {
  readonly refreshed: string[];
  failing: boolean;
}
const createStore = (): TestStore => {
  const store: TestStore = {
    refreshed: [],
    failing: false,
    reserve: () => ({ admitted: true, states: [] }),
    settle: () => [],
    peek: () => [],
    renew: () => {},
    refresh: async (tenant, ids, leaseMs) => {
      if (store.failing) throw new Error('down');
      store.refreshed.push(`${tenant} ${ids.join(',')} ${leaseMs}`);
    },
  };
  return store;
};

describe('rate-limit: leases of running exchanges', () => {
  let clock: TestClock;
  let leases: Leases;
  let store: TestStore;
  beforeEach(() => {
    clock = createTestClock();
    leases = new Leases(60_000, clock);
    store = createStore();
  });
  afterEach(() => leases.close());

  it('refreshes leases after a third of their time, and not before', async () => {
    leases.hold(store, 'acme', 'a');
    clock.advance(19_999);
    await leases.refresh();
    expect(store.refreshed).to.deep.equal([]);
    clock.advance(1);
    await leases.refresh();
    await leases.refresh();
    expect(store.refreshed).to.deep.equal(['acme a 60000']);
    clock.advance(20_000);
    await leases.refresh();
    expect(store.refreshed).to.have.length(2);
  });

  it('refreshes leases in the store that took them, together by tenant', async () => {
    const other = createStore();
    for (const id of ['a', 'b']) leases.hold(store, 'acme', id);
    leases.hold(store, 'umbrella', 'c');
    leases.hold(other, 'acme', 'd');
    clock.advance(30_000);
    leases.hold(store, 'acme', 'young');
    await leases.refresh();
    expect([store.refreshed, other.refreshed]).to.deep.equal([
      ['acme a,b 60000', 'umbrella c 60000'],
      ['acme d 60000'],
    ]);
  });

  it('a lease ends with its exchange', async () => {
    leases.hold(store, 'acme', 'a');
    leases.drop('a');
    clock.advance(60_000);
    await leases.refresh();
    expect([store.refreshed, leases.size]).to.deep.equal([[], 0]);
  });

  it('refreshes leases at the next run of the timer if a refresh has failed', async () => {
    leases.hold(store, 'acme', 'a');
    clock.advance(20_000);
    store.failing = true;
    await leases.refresh();
    store.failing = false;
    await leases.refresh();
    expect(store.refreshed).to.deep.equal(['acme a 60000']);
  });

  it('a lease does not come back when its exchange ends during a refresh', async () => {
    leases.hold(store, 'acme', 'a');
    clock.advance(20_000);
    const renewing = leases.refresh();
    leases.drop('a');
    await renewing;
    expect(leases.size).to.equal(0);
  });

  it('refreshes leases by a timer', async () => {
    leases.close();
    leases = new Leases(60, { monotonic: () => performance.now() });
    leases.hold(store, 'acme', 'a');
    for (let waited = 0; store.refreshed.length < 2 && waited < 5_000; waited += 10)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(store.refreshed.length).to.be.greaterThan(1);
  });
});

describe('rate-limit: the length of a lease', () => {
  it('accepts a lease from 1s to 1h', () => {
    expect([readLease('1s'), readLease('60s'), readLease('1h')]).to.deep.equal([1_000, 60_000, 3_600_000]);
  });

  for (const text of ['0s', '999ms', '61m', '400d'])
    it(`does not accept ${text} as the length of a lease`, () => {
      expect(() => readLease(text)).to.throw(`lease is ${text}; write a length of time between 1s and 1h.`);
    });
});
