import { expect } from 'chai';
import { request, tokenBucket } from './charges.ts';
import { describeStores } from './stores.ts';

describeStores('a token bucket', (use) => {
  it('a token bucket refills by its rate, up to its size', async () => {
    const { store, wall, pass } = use();
    const charge = tokenBucket('t', 40, 40, 100, 1_000);
    const from = await wall();
    await store.reserve(request([charge]));
    const to = await wall();
    await pass(200);
    const asked = await wall();
    const [state] = await store.peek('acme', [charge]);
    const answered = await wall();
    expect(state!.remaining).to.be.within(
      Math.min(40, Math.floor((asked - to) / 10)),
      Math.min(40, Math.floor((answered - from) / 10)),
    );
    await pass(500);
    expect((await store.peek('acme', [charge]))[0]).to.include({ remaining: 40, resetMs: 0 });
  });

  it('a token bucket loses no fraction of a unit, even if it is read often in between', async () => {
    const { store, wall, pass } = use();
    const charge = tokenBucket('t', 3, 1, 1, 13);
    const from = await wall();
    let [admitted, longest] = [0, 0];
    for (let round = 0; round < 60; round += 1) {
      const asked = await wall();
      if ((await store.reserve(request([charge]))).admitted) admitted += 1;
      await pass(5);
      longest = Math.max(longest, (await wall()) - asked);
    }
    const elapsed = (await wall()) - from;
    expect(admitted).to.be.at.most(3 + Math.floor(elapsed / 13));
    // If a round takes longer than the bucket takes to gain what a round uses, the excess is lost.
    if (longest < 13) expect(admitted).to.be.at.least(2 + Math.floor((elapsed - 15) / 13));
  });

  it('a token bucket takes a huge debit, with a reset time that can be formatted', async () => {
    const { store } = use();
    const charge = tokenBucket('t', 10, 1, 1, 60_000);
    const made = request([charge]);
    await store.reserve(made);
    expect(await store.settle('acme', made.id, [Number.MAX_SAFE_INTEGER])).not.to.equal(undefined);
    const [state] = await store.peek('acme', [charge]);
    expect(state!.remaining).to.be.below(0);
    expect(new Date(Date.now() + state!.resetMs).getFullYear()).to.be.within(2100, 2200);
    const { admitted, refusedBy } = await store.reserve(request([charge]));
    expect([admitted, refusedBy?.waitMs]).to.deep.equal([false, state!.resetMs]);
  });
});
