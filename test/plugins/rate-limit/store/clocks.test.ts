import { expect } from 'chai';
import type { LimitStore } from '../../../../plugins/rate-limit/store/store.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import { createMemory, TOP } from '../../../../core/services/shared-memory/arena.ts';
import { calendar, leases, request, tokenBucket, window } from './charges.ts';
import { createManualClock, describeStores } from './stores.ts';

const HOUR = 3_600_000;
const admitted = async (store: LimitStore, ...charges: Parameters<typeof request>[0]): Promise<boolean> =>
  (await store.reserve(request(charges))).admitted;

describeStores('a calendar window', (use) => {
  it('the clock of the store chooses a calendar window, however wrong the clock of the caller is', async () => {
    const now = await use().wall();
    // The same day for callers whose clocks are right, more than an hour slow, and as much fast.
    const day = [now - 30 * HOUR, now - 0.5 * HOUR, now + 23.5 * HOUR, now + 47.5 * HOUR];
    const behind = [now - 54 * HOUR, now - 30 * HOUR, now - 0.5 * HOUR, now + 23.5 * HOUR];
    const ahead = [now - 0.5 * HOUR, now + 23.5 * HOUR, now + 47.5 * HOUR, now + 71.5 * HOUR];
    expect(await admitted(use().store, calendar('c', 30, 10, day))).to.equal(true);
    expect(await admitted(use().store, calendar('c', 30, 10, behind))).to.equal(true);
    expect(await admitted(use().store, calendar('c', 30, 10, ahead))).to.equal(true);
    for (const bounds of [day, behind, ahead]) {
      const { refusedBy } = await use().store.reserve(request([calendar('c', 30, 1, bounds)]));
      expect(refusedBy!.waitMs).to.be.within(23.4 * HOUR, 23.5 * HOUR);
    }
  });

  it('a window makes room when it ends; a late settlement belongs to the window that admitted it', async () => {
    const now = await use().wall();
    const bounds = [now - HOUR, now - 1_000, now + 1_500, now + HOUR];
    const before = request([calendar('c', 10, 10, bounds)]);
    expect((await use().store.reserve(before)).admitted).to.equal(true);
    expect(await admitted(use().store, calendar('c', 10, 1, bounds))).to.equal(false);
    await use().pass(1_520);
    expect(await admitted(use().store, calendar('c', 10, 7, bounds))).to.equal(true);
    expect(await use().store.settle('acme', before.id, [99])).not.to.equal(undefined);
    expect((await use().store.peek('acme', [calendar('c', 10, 0, bounds)]))[0]!.remaining).to.equal(3);
  });
});

describe('the memory store', () => {
  it('the memory store ignores jumps of the wall clock, except in calendar windows', async () => {
    const clock = createManualClock();
    const store = new MemoryStore(clock);
    const charges = [window('w', 10, 10, 60_000), tokenBucket('t', 10, 10, 1, 60_000), leases('l', 1)];
    const made = request(charges, { leaseMs: 1_000 });
    store.reserve(made);
    for (const jump of [HOUR, -2 * HOUR, 48 * HOUR]) {
      clock.wallMs += jump;
      expect(store.peek('acme', charges).map(({ remaining }) => remaining)).to.deep.equal([0, 0, 0]);
    }
    expect(store.settle('acme', made.id, [10, 10, 0])).not.to.equal(undefined);
  });

  it('the memory store counts an amount for the whole window, and at most a sixtieth longer', async () => {
    for (let offset = 0; offset < 10; offset += 1) {
      const clock = createManualClock();
      const store = new MemoryStore(clock);
      clock.ms += offset;
      expect(await admitted(store, window('w', 10, 10, 600))).to.equal(true);
      clock.ms += 599;
      expect(await admitted(store, window('w', 10, 1, 600)), `${offset} ms`).to.equal(false);
      clock.ms += 11;
      expect(await admitted(store, window('w', 10, 10, 600)), `${offset} ms`).to.equal(true);
    }
  });

  it('the memory store drops keys that are used once', () => {
    const clock = createManualClock();
    const memory = createMemory(1);
    const store = new MemoryStore(clock, memory);
    const words = new Float64Array(memory[0]!);
    const used = (): number => words[TOP] ?? 0;
    const atFirst = used();
    for (let index = 0; index < 20_000; index += 1) {
      clock.ms += 10;
      const made = request([
        window(`w${index}`, 10, 1, 1_000),
        tokenBucket(`t${index}`, 10, 1, 10, 1_000),
        leases(`l${index}`, 3),
      ]);
      store.reserve(made);
      store.settle('acme', made.id, [1, 1, 0]);
    }
    // Blocks are used again: three entries of at most 80 words for each of a few hundred keys.
    expect(used() - atFirst).to.be.below(1_000 * 80);
  });

  it('the memory store drops calendar windows that are over, even of a key in use', () => {
    const HOUR = 3_600_000;
    const clock = createManualClock();
    const start = clock.wallMs;
    const store = new MemoryStore(clock);
    const hasRoomAt = (hour: number): boolean => {
      const now = start + hour * HOUR;
      clock.wallMs = now;
      return store.reserve(request([calendar('c', 10, 10, [now - HOUR, now, now + HOUR, now + 2 * HOUR])])).admitted;
    };
    for (let hour = 0; hour < 100; hour += 1) expect(hasRoomAt(hour)).to.equal(true);
    // A window that is kept is full. One that was dropped is counted again.
    expect([99, 98, 97, 96, 0].map(hasRoomAt)).to.deep.equal([false, false, true, true, true]);
  });
});
