import { expect } from 'chai';
import { calendar, leases, request, tokenBucket, window } from './charges.ts';
import { describeStores } from './stores.ts';

describeStores('settle', (use) => {
  const remaining = async (...charges: Parameters<typeof request>[0]): Promise<readonly number[]> => (await use().store.peek('acme', charges)).map((state) => state.remaining);

  it('replaces what was reserved by what was used, in both directions, in every kind of bucket', async () => {
    const now = await use().wall();
    const bounds = [now - 2e6, now - 1e6, now + 1e6, now + 2e6];
    const charges = [window('w', 100, 40, 60_000), tokenBucket('t', 100, 40, 1, 1e9), calendar('c', 100, 40, bounds), leases('l', 3)];
    for (const { used, left } of [
      { used: 10, left: 90 },
      { used: 70, left: 20 },
      { used: 40, left: -20 },
    ]) {
      const made = request(charges);
      // A reservation of 0 as well: its use counts all the same.
      if (left === -20) made.charges.forEach((_, index) => (charges[index] = { ...charges[index]!, amount: 0 }));
      const reserved = left === -20 ? request(charges) : made;
      expect((await use().store.reserve(reserved)).admitted).to.equal(true);
      expect(await use().store.settle('acme', reserved.id, [used, used, used, 0])).to.equal(true);
      expect(await remaining(...charges)).to.deep.equal([left, left, left, 3]);
    }
  });

  it('happens once, and never for what is unknown or belongs to another tenant', async () => {
    const { store } = use();
    const made = request([window('a', 100, 40, 60_000)]);
    await store.reserve(made);
    expect(await store.settle('other', made.id, [0])).to.equal(false);
    expect(await store.settle('acme', 'nobody', [0])).to.equal(false);
    expect(await store.settle('acme', made.id, [10])).to.equal(true);
    const after = await use().snapshot();
    expect(await store.settle('acme', made.id, [0])).to.equal(false);
    expect(await use().snapshot()).to.deep.equal(after);
    expect(await remaining(...made.charges)).to.deep.equal([90]);
  });

  it('does nothing once the lease has run out', async () => {
    const { store } = use();
    const made = request([window('a', 100, 40, 60_000)], { leaseMs: 30 });
    await store.reserve(made);
    await use().pass(40);
    expect(await store.settle('acme', made.id, [90])).to.equal(false);
    await store.reserve(request([window('a', 100, 0, 60_000)]));
    expect(await remaining(...made.charges)).to.deep.equal([100]);
  });

  it('gives nothing back to a window that the amount has left already', async () => {
    const { store } = use();
    const made = request([window('a', 100, 40, 300)]);
    await store.reserve(made);
    await use().pass(310);
    await store.reserve(request([window('a', 100, 30, 300)]));
    expect(await store.settle('acme', made.id, [0])).to.equal(true);
    expect(await remaining(window('a', 100, 0, 300))).to.deep.equal([70]);
  });

  it('lets a bucket below zero recover by itself', async () => {
    const { store } = use();
    for (const charge of [window('w', 10, 10, 600), tokenBucket('t', 10, 10, 10, 600)]) {
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
