import { expect } from 'chai';
import { PendingSettlements, type PendingSettlement } from '../../../plugins/rate-limit/store/pending-settlements.ts';

const settlement = (id: string): PendingSettlement => ({ tenant: 'acme', id, actual: [1] });

describe('rate-limit: settlements that wait', () => {
  it('are told in their order, once', async () => {
    const pending = new PendingSettlements(1_000, () => {});
    const ids = Array.from({ length: 250 }, (_, index) => `s${index}`);
    for (const id of ids) pending.add(settlement(id));
    const told: string[] = [];
    await pending.flush(({ id }) => void told.push(id));
    await pending.flush(({ id }) => void told.push(id));
    expect([told, pending.size]).to.deep.equal([ids, 0]);
  });

  it('give way to newer ones, oldest first, and are counted', () => {
    let dropped = 0;
    const pending = new PendingSettlements(2, () => void (dropped += 1));
    for (const id of ['a', 'b', 'c']) pending.add(settlement(id));
    const told: string[] = [];
    void pending.flush(({ id }) => void told.push(id));
    expect([told, dropped]).to.deep.equal([['b', 'c'], 1]);
  });

  it('that come while others are told are told as well', async () => {
    const pending = new PendingSettlements(10, () => {});
    pending.add(settlement('a'));
    const told: string[] = [];
    await pending.flush(async ({ id }) => {
      told.push(id);
      if (id === 'a') pending.add(settlement('late'));
    });
    expect(told).to.deep.equal(['a', 'late']);
  });

  it('stay when telling them fails', async () => {
    const pending = new PendingSettlements(10, () => {});
    for (const id of ['a', 'b']) pending.add(settlement(id));
    const error = await pending
      .flush(async ({ id }) => {
        if (id === 'b') throw new Error('down');
      })
      .catch((thrown: unknown) => thrown);
    expect([String(error), pending.size]).to.deep.equal(['Error: down', 2]);
  });
});
