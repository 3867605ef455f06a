import { expect } from 'chai';
import { PendingSettlements, type PendingSettlement } from '../../../plugins/rate-limit/store/pending-settlements.ts';

const settlement = (id: string): PendingSettlement => ({ tenant: 'acme', id, actual: [1] });

describe('rate-limit: pending settlements', () => {
  it('are sent in order, once', async () => {
    const pending = new PendingSettlements(1_000, () => {});
    const ids = Array.from({ length: 250 }, (_, index) => `s${index}`);
    for (const id of ids) pending.add(settlement(id));
    const told: string[] = [];
    await pending.flush(({ id }) => void told.push(id));
    await pending.flush(({ id }) => void told.push(id));
    expect([told, pending.size]).to.deep.equal([ids, 0]);
  });

  it('are dropped, oldest first, if there are too many, and counted', () => {
    let dropped = 0;
    const pending = new PendingSettlements(2, () => void (dropped += 1));
    for (const id of ['a', 'b', 'c']) pending.add(settlement(id));
    const told: string[] = [];
    void pending.flush(({ id }) => void told.push(id));
    expect([told, dropped]).to.deep.equal([['b', 'c'], 1]);
  });

  it('are sent even if they come while others are sent', async () => {
    const pending = new PendingSettlements(10, () => {});
    pending.add(settlement('a'));
    const told: string[] = [];
    await pending.flush(async ({ id }) => {
      told.push(id);
      if (id === 'a') pending.add(settlement('late'));
    });
    expect(told).to.deep.equal(['a', 'late']);
  });

  it('stay if sending them fails', async () => {
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
