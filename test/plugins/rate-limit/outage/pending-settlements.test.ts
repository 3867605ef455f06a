import { expect } from 'chai';
import {
  PendingSettlements,
  type PendingSettlement,
} from '../../../../plugins/rate-limit/store/pending-settlements.ts';

const settlement = (id: string): PendingSettlement => ({ tenant: 'acme', id, actual: [1] });

describe('rate-limit: pending settlements', () => {
  it('sends pending settlements in order, once', async () => {
    const pending = new PendingSettlements(1_000, () => {});
    const ids = Array.from({ length: 250 }, (_, index) => `s${index}`);
    for (const id of ids) pending.add(settlement(id));
    const sent: string[] = [];
    await pending.flush(({ id }) => void sent.push(id));
    await pending.flush(({ id }) => void sent.push(id));
    expect([sent, pending.size]).to.deep.equal([ids, 0]);
  });

  it('drops the oldest pending settlements if there are too many, and counts them', () => {
    let dropped = 0;
    const pending = new PendingSettlements(2, () => void (dropped += 1));
    for (const id of ['a', 'b', 'c']) pending.add(settlement(id));
    const sent: string[] = [];
    void pending.flush(({ id }) => void sent.push(id));
    expect([sent, dropped]).to.deep.equal([['b', 'c'], 1]);
  });

  it('sends pending settlements even if they come while others are sent', async () => {
    const pending = new PendingSettlements(10, () => {});
    pending.add(settlement('a'));
    const sent: string[] = [];
    await pending.flush(async ({ id }) => {
      sent.push(id);
      if (id === 'a') pending.add(settlement('late'));
    });
    expect(sent).to.deep.equal(['a', 'late']);
  });

  it('settlements stay pending if sending them fails', async () => {
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
