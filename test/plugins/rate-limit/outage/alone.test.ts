import { expect } from 'chai';
import { KnownSpending } from '../../../../plugins/rate-limit/admission/charges.ts';
import type { Charge, Decision, Known } from '../../../../plugins/rate-limit/store/store.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import { calendar, request } from '../store/charges.ts';
import { createManualClock } from '../store/stores.ts';

const KEY = 'organization;acme;cost;month;calendar;';
/** This host has half of a budget of 200. */
const account = { path: ['acme'], models: [], share: 0.5 };

describe('a budget of a host that counts alone, without the ledger', () => {
  let clock: ReturnType<typeof createManualClock>;
  let store: MemoryStore;
  let since: number;
  beforeEach(() => {
    clock = createManualClock();
    store = new MemoryStore(clock);
    since = clock.wallMs - 1e6;
  });
  const pass = (ms: number): void => {
    clock.wallMs += ms;
    clock.ms += ms;
  };
  const budget = (amount: number, known: Partial<Known>): Charge => {
    const charge = calendar(KEY, 100, amount, [since - 1e6, since, since + 2e6, since + 3e6]);
    const all = { since, amount: 0, alone: 0, countedAt: 0, ...known };
    return { ...charge, bucket: { ...charge.bucket, account }, baseline: 'later', known: all };
  };
  const reserve = (amount: number, known: Partial<Known>, sinceFaultMs: number): Decision =>
    store.reserve(request([budget(amount, known)], { sinceFaultMs }));
  const remaining = (): number | undefined => store.peek('acme', [budget(0, {})])[0]?.remaining;
  const spend = (amount: number, known: Partial<Known>, sinceFaultMs: number): void => {
    const made = request([budget(amount, known)], { sinceFaultMs });
    expect(store.reserve(made).admitted).to.equal(true);
    store.settle('acme', made.id, [amount]);
  };

  it('begins with its part of what the shared store had counted', () => {
    reserve(0, { amount: 120 }, 0);
    expect(remaining()).to.equal(40);
  });

  it('has what another of its processes knows, and not less than before', () => {
    reserve(0, { amount: 100 }, 0);
    spend(10, { amount: 100 }, 0);
    pass(10);
    reserve(0, { amount: 120, alone: 0 }, 10);
    expect(remaining()).to.equal(30);
    reserve(0, { amount: 110 }, 10);
    expect(remaining()).to.equal(30);
  });

  it('gets no second part after a fault after which the shared store has not counted', () => {
    spend(40, { amount: 100, countedAt: clock.wallMs }, 0);
    expect(remaining()).to.equal(10);
    for (let faults = 0; faults < 3; faults += 1) {
      pass(100);
      reserve(0, { amount: 100, alone: 40, countedAt: since }, 0);
      expect(remaining()).to.equal(10);
    }
  });

  it('begins again when the shared store has counted since, which has what it had admitted alone', () => {
    spend(40, { amount: 100 }, 0);
    pass(100);
    reserve(0, { amount: 150, countedAt: clock.wallMs - 50 }, 0);
    expect(remaining()).to.equal(25);
  });

  it('has back in full what an exchange has not used that it had reserved in the shared store', () => {
    reserve(0, { amount: 150 }, 0);
    store.correct('acme', [{ key: KEY, start: since, end: since + 2e6, amount: -20 }]);
    expect(remaining()).to.equal(45);
  });

  it('what an exchange has used is not below the ledger', () => {
    reserve(0, { amount: 150 }, 0);
    store.renew('acme', [{ ...budget(0, {}), baseline: { since, until: clock.wallMs, amount: 70 } }]);
    expect(remaining()).to.equal(25);
    store.correct('acme', [{ key: KEY, start: since, end: since + 2e6, amount: -20 }]);
    expect(remaining()).to.equal(30);
  });
});

describe('what a process knows of a budget', () => {
  let known: KnownSpending;
  beforeEach(() => {
    known = new KnownSpending();
  });

  it('is what the shared store has counted, with what is reserved', () => {
    known.note('acme', KEY, 5, 60, 30, 1_000);
    expect(known.of('acme', KEY)).to.include({ since: 5, amount: 90, alone: 0, countedAt: 1_000 });
    known.noteSettled('acme', KEY, 5, 64, 10, 2_000);
    expect(known.of('acme', KEY)).to.include({ amount: 84, countedAt: 2_000 });
  });

  it('is corrected by exchanges that the shared store has not settled', () => {
    known.note('acme', KEY, 5, 60, 30, 1_000);
    known.correct('acme', KEY, 5, -10);
    expect(known.of('acme', KEY)).to.include({ amount: 80 });
    known.correct('acme', KEY, 5, -50);
    expect(known.of('acme', KEY)).to.include({ amount: 60 });
  });

  it('has apart what the process has admitted alone, until the shared store counts again', () => {
    known.note('acme', KEY, 5, 60, 0, 1_000);
    known.add('acme', KEY, 5, 7);
    expect(known.of('acme', KEY)).to.include({ amount: 60, alone: 7 });
    known.note('acme', KEY, 5, 67, 0, 2_000);
    expect(known.of('acme', KEY)).to.include({ amount: 67, alone: 0 });
    known.add('acme', KEY, 9, 3);
    expect(known.of('acme', KEY)).to.include({ since: 9, amount: 0, alone: 3 });
  });

  it('keeps what was spent at the last fault', () => {
    known.note('acme', KEY, 5, 60, 30, 1_000);
    expect(known.atFault('acme', KEY, 5), 'there was none').to.equal(0);
    known.noteFault();
    expect(known.atFault('acme', KEY, 5)).to.equal(60);
    known.note('acme', KEY, 5, 80, 0, 2_000);
    expect(known.atFault('acme', KEY, 5)).to.equal(60);
    expect(known.atFault('acme', KEY, 9)).to.equal(0);
  });
});
