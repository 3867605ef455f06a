import { expect } from 'chai';
import { BaselineStore } from '../../../../plugins/rate-limit/store/baseline-store.ts';
import type { Charge, BaselineSpan } from '../../../../plugins/rate-limit/store/store.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import { calendar, request, window } from './charges.ts';
import { createManualClock, describeStores } from './stores.ts';

const account = { path: ['acme', 'web', 'alice'], models: ['openai/*'], share: 1 };

describeStores('a budget with a baseline', (use) => {
  const bounds = async (): Promise<readonly number[]> => {
    const now = await use().wall();
    return [now - 3e6, now - 1e6, now + 1e6, now + 3e6];
  };
  const budget = (times: readonly number[], amount = 10): Charge => {
    const charge = calendar('c', 100, amount, times);
    return { ...charge, bucket: { ...charge.bucket, account } };
  };
  const standing = async (charge: Charge): Promise<readonly unknown[]> =>
    (await use().store.peek('acme', [charge])).map(({ remaining, spent }) => [remaining, spent]);

  it('a budget is not decided before it has its baseline, and then counts on', async () => {
    const { store } = use();
    const times = await bounds();
    const made = request([window('w', 10, 1, 60_000), budget(times)]);
    const undecided = await store.reserve(made);
    expect(undecided).to.include({ admitted: false }).and.not.to.have.property('refusedBy');
    expect(undecided.states.map(({ missingBaseline }) => missingBaseline?.since)).to.deep.equal([undefined, times[1]]);
    expect((await store.peek('acme', [window('w', 10, 1, 60_000)]))[0]?.remaining).to.equal(10);

    const baseline = { ...undecided.states[1]!.missingBaseline!, amount: 60 };
    const decision = await store.reserve({ ...made, charges: [made.charges[0]!, { ...budget(times), baseline }] });
    expect(decision.admitted).to.equal(true);
    expect(decision.states[1]).to.include({ remaining: 30, spent: 60 }).and.not.to.have.property('missingBaseline');
    expect(await store.settle('acme', made.id, [1, 5])).to.deep.equal([{ charge: 1, start: times[1], spent: 65 }]);
    expect((await store.reserve(request([budget(times)]))).states[0]).to.include({ remaining: 25, spent: 65 });
  });

  it('a budget takes its baseline once and ignores a second one', async () => {
    const { store } = use();
    const times = await bounds();
    const baseline = { since: times[1]!, amount: 60 };
    await Promise.all(
      [request([{ ...budget(times), baseline }]), request([{ ...budget(times), baseline }])].map((each) =>
        store.reserve(each),
      ),
    );
    expect(await standing(budget(times))).to.deep.equal([[20, 60]]);
  });

  it('a budget takes its baseline even if that refuses the first request', async () => {
    const { store } = use();
    const times = await bounds();
    const refused = await store.reserve(request([{ ...budget(times), baseline: { since: times[1]!, amount: 95 } }]));
    expect(refused.refusedBy).to.include({ charge: 0 });
    expect(await standing(budget(times))).to.deep.equal([[5, 95]]);
    expect((await store.reserve(request([budget(times, 5)]))).admitted).to.equal(true);
  });

  it('a budget takes a baseline of 0, even for requests without cost', async () => {
    const { store } = use();
    const times = await bounds();
    await store.reserve(request([{ ...budget(times, 0), baseline: { since: times[1]!, amount: 0 } }]));
    expect((await store.reserve(request([budget(times, 0)]))).admitted).to.equal(true);
  });

  it('a budget ignores the baseline of another window', async () => {
    const times = await bounds();
    const decision = await use().store.reserve(
      request([{ ...budget(times), baseline: { since: times[0]!, amount: 60 } }]),
    );
    expect(decision.states[0]?.missingBaseline?.since).to.equal(times[1]);
  });

  it('a budget needs no baseline in a window that was counted from its beginning', async () => {
    const { store } = use();
    const now = await use().wall();
    const before = [now - 5e6, now - 3e6, now + 1_500, now + 1e6];
    await store.reserve(request([{ ...budget(before), baseline: { since: before[1]!, amount: 60 } }]));
    await use().pass(1_510);
    const decision = await store.reserve(request([budget([before[1]!, before[2]!, before[3]!, now + 2e6])]));
    expect(decision.admitted).to.equal(true);
    expect(decision.states[0]).to.include({ remaining: 90, spent: 0 });
  });

  it('a budget reads the ledger for its first request only', async () => {
    const times = await bounds();
    const asked: BaselineSpan[] = [];
    const opened = new BaselineStore(use().store, async (of, missingBaseline) => {
      expect(of).to.deep.equal(account);
      asked.push(missingBaseline);
      return { ...missingBaseline, amount: 60 };
    });
    expect(
      (await opened.peek('acme', [budget(times)])).map(({ remaining, spent }) => [remaining, spent]),
    ).to.deep.equal([[40, 60]]);
    expect(
      (await opened.reserve(request([window('w', 10, 1, 60_000), budget(times)]))).states.map(
        ({ remaining }) => remaining,
      ),
    ).to.deep.equal([9, 30]);
    expect(
      (await opened.reserve(request([window('w', 10, 1, 60_000), budget(times)]))).states.map(
        ({ remaining }) => remaining,
      ),
    ).to.deep.equal([8, 20]);
    expect(asked.map(({ since }) => since)).to.deep.equal([times[1], times[1]]);
  });
});

describe('a budget that this process has counted from its beginning', () => {
  const DAY = 86_400_000;
  it('a budget needs no baseline later in the day, but needs one after an idle day', () => {
    const clock = createManualClock();
    const store = new MemoryStore(clock);
    const now = clock.wallMs;
    const charge = (day: number): Charge => {
      const made = calendar('c', 100, 10, [
        now + (day - 1) * DAY,
        now + day * DAY,
        now + (day + 1) * DAY,
        now + (day + 2) * DAY,
      ]);
      return { ...made, bucket: { ...made.bucket, account } };
    };
    const pass = (ms: number): void => {
      clock.wallMs += ms;
      clock.ms += ms;
    };
    expect(store.reserve(request([{ ...charge(0), baseline: { since: now, amount: 60 } }])).admitted).to.equal(true);
    pass(DAY + 1_000);
    expect(store.reserve(request([charge(1)])).states[0]).to.include({ remaining: 90 });
    pass(DAY / 2);
    expect(store.reserve(request([charge(1)])).admitted).to.equal(true);
    pass(2 * DAY);
    expect(store.reserve(request([charge(3)])).states[0]?.missingBaseline).to.deep.equal({
      since: now + 3 * DAY,
      until: clock.wallMs,
    });
  });
});
