import { expect } from 'chai';
import { calendar, leases, request, tokenBucket, window } from './charges.ts';
import { describeStores } from './stores.ts';

describeStores('settle', (use) => {
  const remaining = async (...charges: Parameters<typeof request>[0]): Promise<readonly number[]> =>
    (await use().store.peek('acme', charges)).map((state) => state.remaining);

  it('replaces what was reserved with what was used, in every kind of bucket', async () => {
    const now = await use().wall();
    const bounds = [now - 2e6, now - 1e6, now + 1e6, now + 2e6];
    const charges = [
      window('w', 100, 40, 60_000),
      tokenBucket('t', 100, 40, 1, 1e9),
      calendar('c', 100, 40, bounds),
      leases('l', 3),
    ];
    for (const { used, left } of [
      { used: 10, left: 90 },
      { used: 70, left: 20 },
      { used: 40, left: -20 },
    ]) {
      const made = request(charges);
      // Also for a reservation of 0: its use is counted.
      if (left === -20) made.charges.forEach((_, index) => (charges[index] = { ...charges[index]!, amount: 0 }));
      const reserved = left === -20 ? request(charges) : made;
      expect((await use().store.reserve(reserved)).admitted).to.equal(true);
      expect(await use().store.settle('acme', reserved.id, [used, used, used, 0])).not.to.equal(undefined);
      expect(await remaining(...charges)).to.deep.equal([left, left, left, 3]);
    }
  });

  it('settles once, and never an unknown id or one of another tenant', async () => {
    const { store } = use();
    const made = request([window('a', 100, 40, 60_000)]);
    await store.reserve(made);
    expect(await store.settle('other', made.id, [0])).to.equal(undefined);
    expect(await store.settle('acme', 'nobody', [0])).to.equal(undefined);
    expect(await store.settle('acme', made.id, [10])).not.to.equal(undefined);
    const after = await use().snapshot();
    expect(await store.settle('acme', made.id, [0])).to.equal(undefined);
    expect(await use().snapshot()).to.deep.equal(after);
    expect(await remaining(...made.charges)).to.deep.equal([90]);
  });

  it('a reservation is settled once after its lease has expired', async () => {
    const { store } = use();
    const now = await use().wall();
    const budget = calendar('c', 100, 40, [now - 2e6, now - 1e6, now + 1e6, now + 2e6]);
    const made = request(
      [
        window('a', 100, 40, 60_000),
        { ...window('r', 10, 1, 60_000), kept: 1 },
        { ...budget, kept: 15 },
        tokenBucket('t', 100, 40, 1, 1e9),
        leases('l', 3),
      ],
      { leaseMs: 30 },
    );
    await store.reserve(made);
    await use().pass(40);
    await store.reserve(request([window('a', 100, 0, 60_000)]));
    expect(await remaining(...made.charges)).to.deep.equal([100, 9, 85, 100, 3]);
    expect((await store.peek('acme', [budget]))[0]?.spent).to.equal(15);
    expect(await store.settle('acme', made.id, [90, 1, 25, 30, 0])).to.deep.equal([
      { charge: 2, start: now - 1e6, spent: 25 },
    ]);
    const after = await use().snapshot();
    expect(await store.settle('acme', made.id, [0, 0, 0, 0, 0])).to.equal(undefined);
    expect(await use().snapshot()).to.deep.equal(after);
    expect(await remaining(...made.charges)).to.deep.equal([10, 9, 75, 70, 3]);
  });

  it('returns what is spent of a budget, without what is reserved', async () => {
    const { store } = use();
    const now = await use().wall();
    const budget = calendar('c', 100, 40, [now - 2e6, now - 1e6, now + 1e6, now + 2e6]);
    const [one, two] = [request([window('a', 100, 1, 60_000), budget]), request([budget])];
    await store.reserve(one);
    expect((await store.reserve(two)).states[0]).to.include({ spent: 0, remaining: 20 });
    expect(await store.settle('acme', one.id, [1, 30])).to.deep.equal([{ charge: 1, start: now - 1e6, spent: 30 }]);
    expect(await store.settle('acme', two.id, [5])).to.deep.equal([{ charge: 0, start: now - 1e6, spent: 35 }]);
  });

  it('gives nothing back to a window that the amount has left', async () => {
    const { store } = use();
    const made = request([window('a', 100, 40, 1_500)]);
    await store.reserve(made);
    await use().pass(1_530);
    await store.reserve(request([window('a', 100, 30, 1_500)]));
    expect(await store.settle('acme', made.id, [0])).not.to.equal(undefined);
    expect(await remaining(window('a', 100, 0, 1_500))).to.deep.equal([70]);
  });

  it('a bucket below zero recovers by itself', async () => {
    const { store } = use();
    for (const charge of [window('w', 10, 10, 2_000), tokenBucket('t', 10, 10, 10, 2_000)]) {
      const made = request([charge]);
      await store.reserve(made);
      await store.settle('acme', made.id, [20]);
      expect((await store.peek('acme', [charge]))[0]!.remaining).to.be.within(-10, -1);
      const refused = await store.reserve(request([{ ...charge, amount: 5 }]));
      expect(refused.admitted).to.equal(false);
      await use().pass(refused.refusedBy!.waitMs);
      expect((await store.reserve(request([{ ...charge, amount: 5 }]))).admitted).to.equal(true);
    }
  });
});
