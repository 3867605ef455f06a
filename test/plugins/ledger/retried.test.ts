import { expect } from 'chai';
import type { AttemptRecord } from '../../../core/api/index.ts';
import { readUsage } from '../../../plugins/ledger/read/usage.ts';
import { settledRow } from '../../../plugins/ledger/row.ts';
import { createAddRollup, createWriteRows } from '../../../plugins/ledger/thread/write-rows.ts';
import { chargeOf, exchangeOf, HOUR, NOW, onBoth, outcomeOf, targetOf, usageOf } from './setup.ts';

const attemptAt = (target: string, more: Partial<AttemptRecord>): AttemptRecord => ({
  target,
  credential: 'key-1',
  lane: 'native',
  committed: false,
  status: 503,
  ms: 10,
  losses: [],
  ...more,
});

onBoth('failed attempts in the sums of the ledger', (database) => {
  it('count once at the provider that failed, and the exchange at the one that answered', async () => {
    const charges = [chargeOf(targetOf('second/b'), usageOf(100, 50), 3)];
    const attempts = [
      attemptAt('first/a', { failure: 'overloaded' }),
      attemptAt('first/a', { failure: 'timeout', status: 0 }),
      // Neither the request of the caller nor a limit says that a provider fails.
      attemptAt('third/c', { failure: 'unsuitable', status: 0 }),
      attemptAt('third/c', { failure: 'rate-limit', status: 429 }),
      attemptAt('second/b', { status: 200, committed: true }),
    ];
    const row = settledRow(exchangeOf(), outcomeOf(charges, { attempts }), NOW - 1_000, NOW);
    const write = createWriteRows(database(), createAddRollup(database()));
    for (let time = 0; time < 2; time += 1) await write('ours', [row]);
    for (const step of ['hour', 'day', 'month'] as const) {
      const lines = await readUsage(database(), {
        from: NOW - HOUR,
        to: NOW + HOUR,
        step,
        by: ['provider'],
        where: {},
      });
      expect(
        lines.map(({ dimensions, counters: { exchanges, ok, retried } }) => [
          dimensions.provider,
          exchanges,
          ok,
          retried,
        ]),
      ).to.deep.equal([
        ['first', 0n, 0n, 2n],
        ['second', 1n, 1n, 0n],
      ]);
    }
  });

  it('are not those with which the request itself failed', async () => {
    const attempts = ['first/a', 'second/b'].map((target) => attemptAt(target, { failure: 'overloaded' }));
    const outcome = outcomeOf([], { attempts, result: 'upstream_error', status: 502 });
    await createWriteRows(database(), createAddRollup(database()))('ours', [
      settledRow(exchangeOf(), outcome, NOW - 1_000, NOW),
    ]);
    const [first, second] = await readUsage(database(), {
      from: NOW - HOUR,
      to: NOW + HOUR,
      by: ['provider'],
      where: {},
    });
    expect(first).to.deep.include({ dimensions: { provider: 'first' } });
    expect(first?.counters).to.include({ exchanges: 0n, retried: 1n, upstream_error: 0n });
    expect(second?.counters).to.include({ exchanges: 1n, retried: 0n, upstream_error: 1n });
  });
});
