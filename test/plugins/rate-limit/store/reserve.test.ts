import { expect } from 'chai';
import { calendar, leases, request, tokenBucket, window } from './charges.ts';
import { describeStores } from './stores.ts';

describeStores('reserve', (use) => {
  const admitted = async (...charges: Parameters<typeof request>[0]): Promise<boolean> =>
    (await use().store.reserve(request(charges))).admitted;

  it('a reservation admits up to the limit, and returns what remains', async () => {
    const first = await use().store.reserve(request([window('a', 10, 4, 60_000)]));
    expect(first).to.deep.include({ admitted: true });
    expect(first.states[0]).to.include({ remaining: 6, shadowed: false });
    expect(first.states[0]!.resetMs).to.be.within(60_000, 61_000);
    expect((await use().store.reserve(request([window('a', 10, 6, 60_000)]))).states[0]!.remaining).to.equal(0);
    const refused = await use().store.reserve(request([window('a', 10, 1, 60_000)]));
    expect(refused.admitted).to.equal(false);
    expect(refused.refusedBy!.charge).to.equal(0);
    expect(refused.refusedBy!.waitMs).to.be.within(50_000, 61_000);
  });

  it('a refused reservation changes nothing, not even in buckets that had room', async () => {
    const now = await use().wall();
    const bounds = [now - 200_000, now - 100_000, now + 100_000, now + 200_000];
    const wide = (amount: number) => [
      window('w', 100, amount, 60_000),
      tokenBucket('t', 100, amount, 1, 1_000_000),
      calendar('c', 100, amount, bounds),
      leases('l', 5),
    ];
    expect(await admitted(...wide(10))).to.equal(true);
    const before = await use().snapshot();
    for (const charges of [
      [...wide(10), window('full', 5, 6)],
      [...wide(91)],
      [window('new', 10, 1), tokenBucket('new-t', 10, 1, 1, 1_000), calendar('new-c', 10, 1, bounds), leases('l', 1)],
    ]) {
      expect(await admitted(...charges)).to.equal(false);
      expect(await use().snapshot()).to.deep.equal(before);
    }
  });

  it('admits a small request after a large one was refused', async () => {
    expect(await admitted(window('a', 1_000, 100))).to.equal(true);
    expect(await admitted(window('a', 1_000, 5_000))).to.equal(false);
    expect(await admitted(window('a', 1_000, 10))).to.equal(true);
  });

  it('reports the charge with the longest wait, or the first of equals', async () => {
    const charges = [
      window('short', 1, 2, 1_200),
      window('room', 9, 1),
      window('long', 1, 2, 60_000),
      window('long-too', 1, 2, 60_000),
      leases('l', 1),
    ];
    expect((await use().store.reserve(request(charges))).refusedBy).to.deep.equal({ charge: 2, waitMs: 60_000 });
  });

  it('takes nothing for an amount of 0, and never refuses it', async () => {
    const { store } = use();
    const charge = window('a', 5, 0, 60_000);
    const debt = request([charge]);
    await store.reserve(debt);
    await store.settle('acme', debt.id, [8]);
    const decision = await store.reserve(request([charge, leases('l', 3, 0)]));
    expect(decision.admitted).to.equal(true);
    expect(decision.states[0]).to.include({ remaining: -3, shadowed: false });
    expect(decision.states[1]).to.deep.equal({ remaining: 3, resetMs: 0, shadowed: false });
    expect(await admitted(window('a', 5, 1, 60_000))).to.equal(false);
  });

  it('counts and reports what a shadow limit would have refused', async () => {
    const shadow = (amount: number) => window('a', 5, amount, 60_000, { enforce: false });
    expect((await use().store.reserve(request([shadow(4)]))).states[0]).to.include({ remaining: 1, shadowed: false });
    const over = await use().store.reserve(request([shadow(4)]));
    expect(over.admitted).to.equal(true);
    expect(over.states[0]).to.include({ remaining: -3, shadowed: true });
  });

  it('the store separates tenants, whatever their names are', async () => {
    const { store } = use();
    for (const tenant of ['a', 'a}', '{a}', 'ä b', '']) {
      expect((await store.reserve(request([window('k', 1, 1, 60_000)], { tenant }))).admitted, tenant).to.equal(true);
      expect((await store.reserve(request([window('k', 1, 1, 60_000)], { tenant }))).admitted, tenant).to.equal(false);
    }
  });

  it('the store keeps counts when the limit changes', async () => {
    expect(await admitted(window('a', 10, 6, 60_000))).to.equal(true);
    expect(await admitted(window('a', 5, 1, 60_000))).to.equal(false);
    expect(await admitted(window('a', 20, 14, 60_000))).to.equal(true);
  });

  it('counts money exactly, up to the last nano-dollar', async () => {
    const now = await use().wall();
    const bounds = [now - 2e6, now - 1e6, now + 1e6, now + 2e6];
    const limit = Number.MAX_SAFE_INTEGER;
    expect(
      (await use().store.reserve(request([calendar('c', limit, limit - 3, bounds)]))).states[0]!.remaining,
    ).to.equal(3);
    expect(await admitted(calendar('c', limit, 4, bounds))).to.equal(false);
    expect((await use().store.reserve(request([calendar('c', limit, 1, bounds)]))).states[0]!.remaining).to.equal(2);
  });

  it('the store reads states without a change', async () => {
    const { store } = use();
    const charge = window('a', 10, 4, 60_000);
    await store.reserve(request([charge]));
    const before = await use().snapshot();
    const states = await store.peek('acme', [charge, window('b', 7, 99), leases('l', 3)]);
    expect(states.map(({ remaining }) => remaining)).to.deep.equal([6, 7, 3]);
    expect(await use().snapshot()).to.deep.equal(before);
  });
});
