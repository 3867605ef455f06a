import { expect } from 'chai';
import {
  PendingSettlements,
  type PendingSettlement,
} from '../../../../plugins/rate-limit/store/pending-settlements.ts';
import type { SharedStore } from '../../../../plugins/rate-limit/store/store.ts';

/** A store in which settlements arrive. */
const storeOf = (settle: (id: string) => unknown): Pick<SharedStore, 'settle' | 'debit'> => ({
  settle: async (_tenant, id) => {
    await settle(id);
    return [];
  },
  debit: async () => {},
});
const settlement = (id: string): PendingSettlement => ({ tenant: 'acme', id, actual: [1] });

describe('rate-limit: pending settlements', () => {
  it('sends pending settlements in order, once', async () => {
    const pending = new PendingSettlements(1_000, () => {});
    const ids = Array.from({ length: 250 }, (_, index) => `s${index}`);
    for (const id of ids) pending.add(settlement(id));
    const sent: string[] = [];
    const store = storeOf((id) => sent.push(id));
    await pending.flush(store);
    await pending.flush(store);
    expect([sent, pending.size]).to.deep.equal([ids, 0]);
  });

  it('drops the oldest pending settlements if there are too many, and counts them', () => {
    let dropped = 0;
    const pending = new PendingSettlements(2, () => void (dropped += 1));
    for (const id of ['a', 'b', 'c']) pending.add(settlement(id));
    const sent: string[] = [];
    void pending.flush(storeOf((id) => sent.push(id)));
    expect([sent, dropped]).to.deep.equal([['b', 'c'], 1]);
  });

  it('sends pending settlements even if they come while others are sent', async () => {
    const pending = new PendingSettlements(10, () => {});
    pending.add(settlement('a'));
    const sent: string[] = [];
    await pending.flush(
      storeOf((id) => {
        sent.push(id);
        if (id === 'a') pending.add(settlement('late'));
      }),
    );
    expect(sent).to.deep.equal(['a', 'late']);
  });

  it('what a store has lost the reservation of is sent as a debit, and nothing that it has settled', async () => {
    const pending = new PendingSettlements(10, () => {});
    for (const id of ['lost', 'settled'])
      pending.add({ tenant: 'acme', id, actual: [3], endedAt: 5, isSent: id === 'lost' });
    const debits = { budgets: [{ key: 'b', start: 1, end: 9, amount: 3 }], endedAt: 5, leaseMs: 1_000 };
    expect([pending.addDebits('lost', debits), pending.addDebits('settled', debits)]).to.deep.equal([true, true]);
    expect(pending.addDebits('unknown', debits)).to.equal(false);
    const sent: unknown[] = [];
    await pending.flush({
      settle: async (_tenant, id) => (id === 'lost' ? undefined : []),
      debit: async (...words) => void sent.push(words),
    });
    expect(sent).to.deep.equal([['acme', 'lost', debits, true]]);
  });

  it('settlements stay pending if sending them fails', async () => {
    const pending = new PendingSettlements(10, () => {});
    for (const id of ['a', 'b']) pending.add(settlement(id));
    const error = await pending
      .flush(
        storeOf((id) => {
          if (id === 'b') throw new Error('down');
        }),
      )
      .catch((thrown: unknown) => thrown);
    expect([String(error), pending.size]).to.deep.equal(['Error: down', 2]);
  });
});
