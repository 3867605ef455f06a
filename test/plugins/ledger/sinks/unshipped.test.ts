import { expect } from 'chai';
import { nowOf, sql } from '../../../../core/api/database.ts';
import { openRow } from '../../../../plugins/ledger/open-row.ts';
import type { LedgerRow } from '../../../../plugins/ledger/row.ts';
import { forgetSinks, registerSink } from '../../../../plugins/ledger/sinks/register.ts';
import { dropTriggers, hasTriggers } from '../../../../plugins/ledger/sinks/triggers.ts';
import {
  claimSink,
  markShipped,
  measureLag,
  takeBatch,
  takeHistory,
} from '../../../../plugins/ledger/sinks/unshipped.ts';
import { prune } from '../../../../plugins/ledger/thread/prune.ts';
import { endLease, markAbandoned, renewLease } from '../../../../plugins/ledger/thread/leases.ts';
import { createAddRollup, createWriteRows } from '../../../../plugins/ledger/thread/write-rows.ts';
import { exchangeOf, NOW, onBoth } from '../setup.ts';
import { idOf, rowOf } from './rows.ts';

const DAY = 86_400_000;
const MOST = 1_000;

const openOf = (id: string, at = NOW): LedgerRow => openRow(exchangeOf({ id }), at);

onBoth('rows that a sink does not have', (database) => {
  afterEach(() => dropTriggers(database()));
  const write = (...rows: readonly LedgerRow[]): Promise<void> =>
    createWriteRows(database(), createAddRollup(database()))('ours', rows);
  /** Ships all rows. Resolves with their ids and states. */
  const ship = async (sink: string): Promise<readonly string[]> => {
    const shipped: string[] = [];
    for (;;) {
      const batch = await takeBatch(database(), sink, 2);
      if (batch.entries.length === 0) return shipped.toSorted();
      shipped.push(...batch.rows.map(({ id, state, version }) => `${id.slice(-1)} ${state} ${version}`));
      await markShipped(database(), sink, batch);
    }
  };

  it('are those that ended since the sink is known, for each sink, until they are marked', async () => {
    await write(rowOf(idOf('0')));
    expect(await hasTriggers(database())).to.equal(false);
    await registerSink(database(), 'a', false);
    await write(rowOf(idOf('1')), openOf(idOf('2')));
    await registerSink(database(), 'b', false);
    await registerSink(database(), 'b', true);
    await write(rowOf(idOf('2')), rowOf(idOf('3')));
    expect(await takeBatch(database(), 'a', MOST)).to.include({ missing: 0, isFull: false });
    expect(await ship('a')).to.deep.equal(['1 settled 2', '2 settled 2', '3 settled 2']);
    expect(await ship('a')).to.deep.equal([]);
    expect(await ship('b')).to.deep.equal(['2 settled 2', '3 settled 2']);
    expect(await takeHistory(database(), 'b', MOST)).to.equal(undefined);
  });

  it('are not noted again when they are written again', async () => {
    await registerSink(database(), 'a', false);
    await write(rowOf(idOf('1')));
    await write(rowOf(idOf('1')));
    expect((await takeBatch(database(), 'a', MOST)).entries).to.have.length(1);
  });

  it('have an abandoned row, and again when it is settled after all', async () => {
    await registerSink(database(), 'a', false);
    await write(openOf(idOf('1')));
    await markAbandoned(database(), createAddRollup(database()));
    expect(await ship('a')).to.deep.equal(['1 abandoned 1']);
    await write(rowOf(idOf('1')));
    expect(await ship('a')).to.deep.equal(['1 settled 2']);
  });

  it('have what was noted after a batch was taken, whatever their ids', async () => {
    await registerSink(database(), 'a', false);
    await write(rowOf(idOf('5')));
    const batch = await takeBatch(database(), 'a', MOST);
    // Days late, as from a spool.
    await write(rowOf(idOf('1', NOW - 9 * DAY), NOW - 9 * DAY));
    await markShipped(database(), 'a', batch);
    expect(await ship('a')).to.deep.equal(['1 settled 2']);
  });

  it('have those from before the sink if it wants the history, the oldest first, and each later one', async () => {
    await write(...['3', '1', '2'].map((id) => rowOf(idOf(id))), openOf(idOf('4')));
    await registerSink(database(), 'a', true);
    await write(rowOf(idOf('4')), rowOf(idOf('5')));
    const first = await takeHistory(database(), 'a', 2);
    expect(first?.rows.map(({ id }) => id)).to.deep.equal([idOf('1'), idOf('2')]);
    expect(first?.history).to.equal(idOf('2'));
    await markShipped(database(), 'a', first ?? { entries: [] });
    const last = await takeHistory(database(), 'a', 3);
    expect(last?.rows.map(({ id }) => id)).to.deep.equal([idOf('3'), idOf('4')]);
    expect(last?.history).to.equal(null);
    await markShipped(database(), 'a', last ?? { entries: [] });
    expect(await takeHistory(database(), 'a', 3)).to.equal(undefined);
    expect(await ship('a')).to.deep.equal(['4 settled 2', '5 settled 2']);
  });

  it('have the age of the oldest', async () => {
    await registerSink(database(), 'a', false);
    expect(await measureLag(database(), 'a')).to.equal(0);
    await write(rowOf(idOf('1')));
    await database()
      .updateTable('ledger_unshipped')
      .set({ written_at: sql<number>`${nowOf(database())} - 90000` })
      .execute();
    await write(rowOf(idOf('2')));
    expect(await measureLag(database(), 'a')).to.be.within(90_000, 120_000);
  });

  it('are shipped by one process, until its lease ends', async () => {
    await registerSink(database(), 'a', false);
    for (const process of ['one', 'two']) await renewLease(database(), process, 60_000);
    expect(await claimSink(database(), 'a', 'one')).to.equal(true);
    expect(await claimSink(database(), 'a', 'two')).to.equal(false);
    expect(await claimSink(database(), 'a', 'one')).to.equal(true);
    await endLease(database(), 'one');
    expect(await claimSink(database(), 'a', 'two')).to.equal(true);
    expect(await claimSink(database(), 'a', 'one')).to.equal(false);
  });

  it('do not expire, nor do later ones', async () => {
    const settings = { leaseMs: 1, spoolPath: '', retentionMs: 10 * DAY, usageRetentionMs: 900 * DAY };
    const kept = async (now: number) => {
      const since = await prune(database(), settings, now);
      const rows = await database().selectFrom('ledger').select('id').orderBy('id').execute();
      return [rows.length, since] as const;
    };
    const times = [NOW - 20 * DAY, NOW - 15 * DAY, NOW - 12 * DAY, NOW] as const;
    const rows = times.map((at, index) => rowOf(idOf(String(index), at), at));
    await write(...rows.slice(0, 1));
    await registerSink(database(), 'a', false);
    await write(...rows.slice(1));
    expect(await kept(NOW)).to.deep.equal([3, times[1]]);
    await markShipped(database(), 'a', await takeBatch(database(), 'a', MOST));
    expect(await kept(NOW)).to.deep.equal([1, undefined]);
    await registerSink(database(), 'b', true);
    expect(await kept(NOW + 30 * DAY)).to.deep.equal([1, 0]);
  });

  it('are forgotten with a sink that no configuration has had for a week, and so are the triggers', async () => {
    for (const sink of ['a', 'b']) await registerSink(database(), sink, false);
    await write(rowOf(idOf('1')));
    const age = (sink: string, days: number) =>
      database()
        .updateTable('ledger_sinks')
        .set({ seen_at: sql<number>`${nowOf(database())} - ${days * DAY}` })
        .where('name', '=', sink)
        .execute();
    await age('a', 8);
    await age('b', 6);
    expect(await forgetSinks(database())).to.deep.equal(['a']);
    expect(await hasTriggers(database())).to.equal(true);
    await prune(database(), { leaseMs: 1, spoolPath: '', retentionMs: DAY, usageRetentionMs: DAY }, NOW);
    const left = await database().selectFrom('ledger_unshipped').select('sink').execute();
    expect(left).to.deep.equal([{ sink: 'b' }]);
    await age('b', 8);
    expect(await forgetSinks(database())).to.deep.equal(['b']);
    expect(await hasTriggers(database())).to.equal(false);
  });

  it('are counted as missing if they were deleted', async () => {
    await registerSink(database(), 'a', false);
    await write(rowOf(idOf('1')), rowOf(idOf('2')));
    await database().deleteFrom('ledger').where('id', '=', idOf('1')).execute();
    const batch = await takeBatch(database(), 'a', MOST);
    expect(batch).to.include({ missing: 1 });
    expect(batch.rows.map(({ id }) => id)).to.deep.equal([idOf('2')]);
  });
});
