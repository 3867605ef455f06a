import { expect } from 'chai';
import type { SpendingQuery } from '../../../../core/api/index.ts';
import { createTestPrimaryServices } from '../../../../core/testing/services.ts';
import { Baselines } from '../../../../plugins/rate-limit/budgets/baselines.ts';
import { createReadBaseline, openCounts } from '../../../../plugins/rate-limit/primary-link.ts';
import { createPrimary } from '../../../../plugins/rate-limit/primary.ts';
import { BaselineStore, orLater } from '../../../../plugins/rate-limit/store/baseline-store.ts';
import type { Charge, Decision } from '../../../../plugins/rate-limit/store/store.ts';
import { useSimulatedTime } from '../../../support/time/simulated-time.ts';
import { createTestClock, defaults, NOON } from '../setup.ts';

const account = { path: ['acme', 'web', 'alice'], models: ['openai/*'], share: 1 };
const span = { since: NOON - 1_000, until: NOON };
const failure = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe('rate-limit: budget baselines', () => {
  useSimulatedTime();

  let lines: string[];
  const baselinesOf = (spent: (query: SpendingQuery) => Promise<bigint | undefined>): Baselines => {
    const keep = (_fields: object, text: string): void => void lines.push(text);
    return new Baselines(spent, { info: keep, warn: keep, error: keep });
  };
  beforeEach(() => (lines = []));

  it('reads a baseline once for all requests that wait, in full or as the part of a host', async () => {
    const asked: SpendingQuery[] = [];
    const baselines = baselinesOf(async (query) => {
      asked.push(query);
      return 1_001n;
    });
    expect(await Promise.all([baselines.read(account, span), baselines.read(account, span)])).to.deep.equal([
      { ...span, amount: 1_001 },
      { ...span, amount: 1_001 },
    ]);
    expect(asked).to.deep.equal([{ path: account.path, models: account.models, ...span }]);
    expect(await baselines.read({ ...account, share: 0.5 }, span)).to.deep.equal({
      ...span,
      amount: 500,
    });
  });

  it('baselines are 0 without a ledger', async () => {
    expect(await baselinesOf(async () => undefined).read(account, span)).to.deep.equal({
      ...span,
      amount: 0,
      isRecorded: false,
    });
  });

  it('baselines make the first requests wait for two seconds, and no request after them', async () => {
    const late = Promise.withResolvers<bigint>();
    const baselines = baselinesOf(() => late.promise);
    expect(
      await Promise.all([failure(baselines.read(account, span)), failure(baselines.read(account, span))]),
    ).to.deep.equal(Array.from({ length: 2 }, () => 'the ledger did not respond within 2000 ms'));
    const begun = performance.now();
    expect(await failure(baselines.read(account, span))).to.include('2000 ms');
    expect(performance.now() - begun).to.equal(0);
    late.resolve(7n);
    await late.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await baselines.read(account, span)).to.include({ amount: 7 });
    expect(lines).to.deep.equal([
      'the ledger does not respond: budgets are counted without earlier spending until it does',
      'the ledger is available again: budgets include what it has recorded',
    ]);
  });
});

describe('rate-limit: a budget after a start', () => {
  useSimulatedTime();

  const bounds = [NOON - 4e9, NOON - 2e9, NOON + 2e9, NOON + 4e9];
  const charge: Charge = {
    bucket: { key: 'cost', kind: 'calendar', limit: 100, per: 0, rate: 100, enforce: true, account },
    amount: 10,
    bounds,
  };
  /** The store of a worker, with the primary instance in the same thread. */
  const open = async (spent: (query: SpendingQuery) => Promise<bigint | undefined>) => {
    const clock = createTestClock();
    const primary = createPrimary(defaults, createTestPrimaryServices({ clock, spent }));
    const link = { call: (message: unknown): unknown => primary.handle?.(message, 1) };
    const counts = await openCounts(link, clock);
    const store = new BaselineStore(counts, orLater(createReadBaseline(link)));
    let count = 0;
    return {
      primary,
      reserve: async (): Promise<Decision> =>
        store.reserve({ id: `${(count += 1)}`, tenant: 'acme', leaseMs: 60_000, charges: [charge] }),
      settle: async (): Promise<unknown> => store.settle('acme', `${count}`, [4]),
      left: async (): Promise<number | undefined> => (await store.peek('acme', [charge]))[0]?.remaining,
    };
  };

  it('a budget continues from the ledger after a start, and reads it once', async () => {
    const asked: SpendingQuery[] = [];
    const { reserve } = await open(async (query) => {
      asked.push(query);
      return 85n;
    });
    expect((await reserve()).states[0]).to.include({ remaining: 5, spent: 85 });
    expect(await reserve()).to.deep.include({ admitted: false, refusedBy: { charge: 0, waitMs: 2e9 } });
    expect(asked).to.deep.equal([{ path: account.path, models: account.models, since: NOON - 2e9, until: NOON }]);
  });

  it('counts a budget without a failing ledger, and adds the spending later', async () => {
    let isDown = true;
    const { reserve, settle } = await open(async () => {
      if (isDown) throw new Error('down');
      return 60n;
    });
    expect((await reserve()).states[0]).to.include({ remaining: 90, spent: 0 });
    await settle();
    isDown = false;
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await reserve()).states[0]).to.include({ remaining: 26, spent: 64 });
  });

  describe('for which the ledger finds more spending', () => {
    const start = async (known: () => Promise<bigint>) => {
      const asked: SpendingQuery[] = [];
      const opened = await open((query) => {
        asked.push(query);
        return known();
      });
      return { asked, ...opened, find: (): void => opened.primary.onSpendingFound?.() };
    };

    it('adds the spending that the ledger finds to the count of a budget once', async () => {
      let known = 20n;
      const { asked, reserve, settle, left, find } = await start(async () => known);
      await reserve();
      await settle();
      expect(await left()).to.equal(76);
      known = 35n;
      find();
      expect(await left()).to.equal(61);
      find();
      expect(await left()).to.equal(61);
      expect(asked.every(({ since, until }) => since === NOON - 2e9 && until === NOON)).to.equal(true);
    });

    it('the first request after the ledger has found spending waits for it', async () => {
      let known = 20n;
      const { reserve, find } = await start(async () => known);
      await reserve();
      known = 95n;
      find();
      expect(await reserve()).to.deep.include({ admitted: false, refusedBy: { charge: 0, waitMs: 2e9 } });
    });

    it('adds the spending that the ledger finds if a read that began earlier ends later', async () => {
      const first = Promise.withResolvers<bigint>();
      const { asked, reserve, left, find } = await start(() =>
        asked.length === 1 ? first.promise : Promise.resolve(35n),
      );
      const reserved = reserve();
      find();
      for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      first.resolve(20n);
      expect((await reserved).states[0]).to.include({ remaining: 55 });
      expect(await left()).to.equal(55);
      expect(asked).to.have.length(2);
    });

    it('a budget stays unchanged if the ledger does not respond', async () => {
      let isDown = false;
      const { reserve, left, find } = await start(() =>
        isDown ? Promise.reject(new Error('down')) : Promise.resolve(20n),
      );
      await reserve();
      isDown = true;
      find();
      expect(await left()).to.equal(70);
      expect((await reserve()).states[0]).to.include({ remaining: 60 });
    });
  });
});
