import { expect } from 'chai';
import { leases, request, window } from './charges.ts';
import { describeStores } from './stores.ts';

describeStores('a lease', (use) => {
  const LEASE = 3_000;
  const take = (id: string, leaseMs = LEASE) =>
    use().store.reserve(
      request([leases('l', 2), window('tokens', 100, 40, 60_000), { ...window('requests', 9, 1, 60_000), kept: 1 }], {
        id,
        leaseMs,
      }),
    );

  it('a lease holds its place until it is settled', async () => {
    expect((await take('a', 60_000)).admitted).to.equal(true);
    expect((await take('b', 60_000)).states[0]!.remaining).to.equal(0);
    expect((await take('c')).refusedBy).to.deep.include({ charge: 1 });
    await use().store.settle('acme', 'a', [0, 0, 1]);
    expect((await take('d')).admitted).to.equal(true);
  });

  it('an expired lease gives back its place and tokens, except for what is kept', async () => {
    await take('a');
    await take('b');
    await use().pass(LEASE + 10);
    const decision = await take('c');
    expect(decision.states.map(({ remaining }) => remaining)).to.deep.equal([1, 60, 6]);
  });

  it('a lease lasts only while it is refreshed', async () => {
    await take('a');
    await take('b');
    for (let round = 0; round < 3; round += 1) {
      await use().pass(LEASE / 2);
      await use().store.refresh('acme', ['a', 'nobody'], LEASE);
    }
    const decision = await use().store.reserve(
      request([leases('l', 2), window('tokens', 100, 0, 60_000)], { leaseMs: LEASE }),
    );
    expect(decision.states.map(({ remaining }) => remaining)).to.deep.equal([0, 60]);
    await use().store.settle('acme', 'a', [0, 0, 1]);
    expect(
      (await use().store.peek('acme', [leases('l', 2), window('tokens', 100, 0, 60_000)])).map(
        ({ remaining }) => remaining,
      ),
    ).to.deep.equal([1, 100]);
  });

  it('a lease does not come back by a refresh after it has expired', async () => {
    await take('a');
    await use().pass(LEASE + 10);
    await use().store.refresh('acme', ['a'], LEASE);
    expect((await take('b')).states.map(({ remaining }) => remaining)).to.deep.equal([1, 60, 7]);
  });

  it('later requests release a lease after a crash', async () => {
    const { store } = use();
    for (let index = 0; index < 100; index += 1)
      await store.reserve(request([leases('many', 100), window('t', 100, 1, 60_000)], { leaseMs: LEASE * 2 }));
    await use().pass(LEASE * 2 + 10);
    for (let index = 0; index < 4; index += 1) await store.reserve(request([window('t', 100, 0, 60_000)]));
    expect(
      (await store.peek('acme', [leases('many', 100), window('t', 100, 1, 60_000)])).map(({ remaining }) => remaining),
    ).to.deep.equal([100, 100]);
  });
});
