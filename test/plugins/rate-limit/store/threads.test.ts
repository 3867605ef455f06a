import { expect } from 'chai';
import * as fc from 'fast-check';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createMemory } from '../../../../core/services/shared-memory/arena.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import type { BaselineSpan, Charge, ReserveRequest } from '../../../../plugins/rate-limit/store/store.ts';
import { calendar, leases, request, tokenBucket, window } from './charges.ts';
import { createManualClock } from './stores.ts';
import type { Job, Result } from './counting-thread.ts';

const HOUR = 3_600_000;
const step = fc.record({
  kind: fc.constantFrom('reserve', 'reserve', 'reserve', 'settle', 'settle', 'refresh', 'peek', 'pass', 'outdate'),
  thread: fc.nat(2),
  which: fc.nat(50),
  amounts: fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }),
  ms: fc.oneof(fc.nat(100), fc.nat(4_000)),
  leaseMs: fc.constantFrom(1_000, 5_000),
});

const account = { path: ['acme'], models: [], share: 1 };

describe('the memory of limits that threads share', () => {
  it('three threads decide with one memory as one thread does alone', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120 }), (steps) => {
        const clock = createManualClock();
        const shards = createMemory(4);
        const alone = new MemoryStore(clock);
        const threads = [1, 2, 3].map((worker) => new MemoryStore(clock, shards, { worker, aheadMs: 0 }));
        const chargesOf = (amounts: readonly number[], span?: BaselineSpan): Charge[] => {
          const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = amounts;
          const begin = clock.wallMs - (clock.wallMs % HOUR);
          const budget = calendar('c', 90, fourth, [begin - HOUR, begin, begin + HOUR, begin + 2 * HOUR]);
          return [
            { ...window('w', 40, first), kept: Math.min(1, first) },
            tokenBucket('t', 30, second, 7, 500),
            leases('l', 6, Math.min(1, third)),
            {
              ...budget,
              bucket: { ...budget.bucket, account },
              ...(span === undefined ? {} : { baseline: { ...span, amount: 5 } }),
            },
            window(`user ${fifth}`, 12, fifth, 2_000, { isNamed: true, enforce: false }),
          ];
        };
        const open: { readonly made: ReserveRequest; readonly thread: number }[] = [];
        for (const { kind, thread, which, amounts, ms, leaseMs } of steps) {
          const own = threads[thread]!;
          const { made, thread: by } = open[which % Math.max(1, open.length)] ?? {};
          if (kind === 'pass') {
            clock.ms += ms;
            clock.wallMs += ms * 100;
          }
          if (kind === 'outdate') for (const store of [alone, own]) store.outdateBaselines();
          if (kind === 'reserve') {
            const asked = request(chargesOf(amounts), { leaseMs });
            const first = alone.reserve(asked);
            expect(own.reserve(asked)).to.deep.equal(first);
            const span = first.states[3]?.missingBaseline;
            const again = { ...asked, charges: chargesOf(amounts, span) };
            const decision = span === undefined ? first : alone.reserve(again);
            if (span !== undefined) expect(own.reserve(again)).to.deep.equal(decision);
            if (decision.admitted) open.push({ made: asked, thread });
          }
          if (kind === 'settle' && made !== undefined && by !== undefined)
            expect(threads[by]!.settle('acme', made.id, amounts)).to.deep.equal(alone.settle('acme', made.id, amounts));
          if (kind === 'refresh' && made !== undefined && by !== undefined)
            for (const store of [alone, threads[by]!]) store.refresh('acme', [made.id], leaseMs);
          // A lease is released by the thread that has it.
          for (const store of threads) store.refresh('acme', [], leaseMs);
          const seen = chargesOf(amounts);
          expect(own.peek('acme', seen)).to.deep.equal(alone.peek('acme', seen));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('what a thread that has ended held is given back, except for what stays counted', () => {
    const clock = createManualClock();
    const shards = createMemory(4);
    const main = new MemoryStore(clock, shards);
    const [one, two] = [1, 2].map((worker) => new MemoryStore(clock, shards, { worker, aheadMs: 0 })) as [
      MemoryStore,
      MemoryStore,
    ];
    const charges = [{ ...window('w', 10, 3, 60_000), kept: 1 }, tokenBucket('t', 10, 3, 1, 60_000), leases('l', 5)];
    const left = (): readonly number[] => main.peek('acme', charges).map(({ remaining }) => remaining);
    const settled = request(charges);
    one.reserve(settled);
    one.settle('acme', settled.id, [2, 3, 0]);
    for (const store of [one, two]) store.reserve(request(charges, { leaseMs: 1_000 }));
    expect(left()).to.deep.equal([2, 1, 3]);
    expect(main.release(1)).to.equal(true);
    expect(left()).to.deep.equal([4, 4, 4]);
    expect(main.release(1)).to.equal(true);
    expect(left()).to.deep.equal([4, 4, 4]);
    clock.ms += 1_000;
    two.refresh('acme', [], 1_000);
    expect(left()).to.deep.equal([6, 7, 5]);
    main.release(2);
    expect(left()).to.deep.equal([6, 7, 5]);
  });
});

describe('real threads that count in one memory', () => {
  const start = (job: Job): Worker => new Worker(new URL('counting-thread.ts', import.meta.url), { workerData: job });
  const run = async (job: Job): Promise<Result> => {
    const [result] = (await once(start(job), 'message')) as [Result];
    return result;
  };
  const clock = { now: () => Date.UTC(2026, 0, 15), monotonic: () => 5_000 };

  for (const threads of [2, 8])
    it(`${threads} threads admit exactly the limit, and give back what they do not use`, async () => {
      const shards = createMemory(4);
      const results = await Promise.all(
        Array.from({ length: threads }, (_, index) =>
          run({ shards, worker: index + 1, limit: 10_001, tries: 20_000, hold: false }),
        ),
      );
      expect(results.reduce((sum, { admitted }) => sum + admitted, 0)).to.equal(10_001);
      const main = new MemoryStore(clock, shards);
      const [requests, tokens, budget, places] = main.peek('acme', [
        window('requests', 10_001, 0, 3_600_000),
        tokenBucket('tokens', 1_000_000, 0, 1, 1e12),
        calendar('money', 1_000_000, 0, [0, 1, 1e15, 2e15]),
        leases('places', threads),
      ]);
      expect([requests?.remaining, places?.remaining]).to.deep.equal([0, threads]);
      // Of three that each has reserved, two are used.
      expect([tokens?.remaining, budget?.remaining, budget?.spent]).to.deep.equal([
        1_000_000 - 2 * 10_001,
        1_000_000 - 2 * 10_001,
        2 * 10_001,
      ]);
    });

  it('what a thread was changing when it was terminated is undone, and what it held is given back', async () => {
    const shards = createMemory(1);
    const main = new MemoryStore(clock, shards);
    const charges = [window('requests', 10, 1, 3_600_000), leases('places', 5)];
    const left = (): readonly number[] => main.peek('acme', charges).map(({ remaining }) => remaining);
    const worker = start({ shards, worker: 1, limit: 10, tries: 3, hold: true });
    expect((await once(worker, 'message'))[0]).to.deep.equal({ admitted: 3 });
    await once(worker, 'message');
    expect(left).to.throw('Another thread has not left the shared memory');
    await worker.terminate();
    expect(main.release(1)).to.equal(true);
    expect(left()).to.deep.equal([10, 5]);
    expect(main.reserve(request(charges)).admitted).to.equal(true);
  });
});
