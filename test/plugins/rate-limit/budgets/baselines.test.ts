import { expect } from 'chai';
import type { PrimaryInstance, SpendingQuery } from '../../../../core/api/index.ts';
import { createTestPrimaryServices } from '../../../../core/testing/services.ts';
import { Baselines } from '../../../../plugins/rate-limit/budgets/baselines.ts';
import { createPrimary } from '../../../../plugins/rate-limit/primary.ts';
import type { Charge, Decision } from '../../../../plugins/rate-limit/store/store.ts';
import { until } from '../../../support/until.ts';
import { createTestClock, defaults, NOON } from '../setup.ts';

const account = { path: ['acme', 'web', 'alice'], models: ['openai/*'], share: 1 };
const span = { since: NOON - 1_000, until: NOON };
const failure = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe('rate-limit: budget baselines', () => {
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

  it('baselines make the first requests wait for half a second, and no request after them', async () => {
    const late = Promise.withResolvers<bigint>();
    const baselines = baselinesOf(() => late.promise);
    expect(
      await Promise.all([failure(baselines.read(account, span)), failure(baselines.read(account, span))]),
    ).to.deep.equal(Array.from({ length: 2 }, () => 'the ledger did not respond within 500 ms'));
    const begun = performance.now();
    expect(await failure(baselines.read(account, span))).to.include('500 ms');
    expect(performance.now() - begun).to.be.below(250);
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
  const bounds = [NOON - 4e9, NOON - 2e9, NOON + 2e9, NOON + 4e9];
  const charge: Charge = {
    bucket: { key: 'cost', kind: 'calendar', limit: 100, per: 0, rate: 100, enforce: true, account },
    amount: 10,
    bounds,
  };
  const createHalf = (spent: (query: SpendingQuery) => Promise<bigint | undefined>): PrimaryInstance =>
    createPrimary(defaults, createTestPrimaryServices({ clock: createTestClock(), spent }));
  const primaryOf = (spent: (query: SpendingQuery) => Promise<bigint | undefined>, primary = createHalf(spent)) => {
    let count = 0;
    return async (call: 'reserve' | 'settle'): Promise<Decision> => {
      count += call === 'reserve' ? 1 : 0;
      const message =
        call === 'reserve'
          ? { call, request: { id: String(count), tenant: 'acme', leaseMs: 60_000, charges: [charge] } }
          : { call, tenant: 'acme', id: String(count), actual: [4] };
      return (await primary.handle?.(message, 1)) as Decision;
    };
  };

  it('a budget continues from the ledger after a start, and reads it once', async () => {
    const asked: SpendingQuery[] = [];
    const ask = primaryOf(async (query) => {
      asked.push(query);
      return 85n;
    });
    expect((await ask('reserve')).states[0]).to.include({ remaining: 5, spent: 85 });
    expect(await ask('reserve')).to.deep.include({ admitted: false, refusedBy: { charge: 0, waitMs: 2e9 } });
    expect(asked).to.deep.equal([{ path: account.path, models: account.models, since: NOON - 2e9, until: NOON }]);
  });

  it('counts a budget without a failing ledger, and adds the spending later', async () => {
    let isDown = true;
    const ask = primaryOf(async () => {
      if (isDown) throw new Error('down');
      return 60n;
    });
    expect((await ask('reserve')).states[0]).to.include({ remaining: 90, spent: 0 });
    await ask('settle');
    isDown = false;
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await ask('reserve')).states[0]).to.include({ remaining: 26, spent: 64 });
  });

  describe('for which the ledger finds more spending', () => {
    const start = (known: () => Promise<bigint>) => {
      const asked: SpendingQuery[] = [];
      const spent = (query: SpendingQuery): Promise<bigint> => {
        asked.push(query);
        return known();
      };
      const primary = createHalf(spent);
      const ask = primaryOf(spent, primary);
      const left = async (): Promise<number | undefined> => {
        const states = (await primary.handle?.({ call: 'peek', tenant: 'acme', charges: [charge] }, 1)) as
          | Decision['states']
          | undefined;
        return states?.[0]?.remaining;
      };
      /** Resolves when this many reads were made in total, and their results were received. */
      const find = async (questions: number): Promise<void> => {
        primary.onSpendingFound?.();
        await until('the questions', () => asked.length === questions);
        await new Promise((resolve) => setImmediate(resolve));
      };
      return { asked, ask, left, find };
    };
    it('adds the spending that the ledger finds to the count of a budget once', async () => {
      let known = 20n;
      const { asked, ask, left, find } = start(async () => known);
      await ask('reserve');
      await ask('settle');
      expect(await left()).to.equal(76);
      known = 35n;
      await find(2);
      expect(await left()).to.equal(61);
      await find(3);
      expect(await left()).to.equal(61);
      expect(asked.every(({ since, until }) => since === NOON - 2e9 && until === NOON)).to.equal(true);
    });

    it('adds the spending that the ledger finds if a read that began earlier ends later', async () => {
      const first = Promise.withResolvers<bigint>();
      const { asked, ask, left, find } = start(() => (asked.length === 1 ? first.promise : Promise.resolve(35n)));
      const reserved = ask('reserve');
      const found = find(2);
      for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      first.resolve(20n);
      await Promise.all([reserved, found]);
      expect(await left()).to.equal(55);
    });

    it('a budget stays unchanged if the ledger does not respond', async () => {
      let isDown = false;
      const { ask, left, find } = start(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(20n)));
      await ask('reserve');
      isDown = true;
      await find(2);
      expect(await left()).to.equal(70);
    });
  });
});
