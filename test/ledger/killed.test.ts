import { expect } from 'chai';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerTable } from '../../plugins/ledger/tables.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { clients, type Seen } from './load.ts';
import { blockWrites } from './block-writes.ts';
import { expectRows, expectSums, startLedgerScene, stores, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** Maximum difference between the end of a response at the client and in the ledger, in milliseconds. */
const APART_MS = 1_000;
/** Between two requests of a client. What was written is compared over seconds: thirty requests of each are enough. */
const PAUSE_MS = 75;

/**
 * Each process writes its rows in the order in which their exchanges end. So what had ended when the newest row of a
 * process ended that is there, is there too: of several processes, when the earliest of these did. Unix milliseconds.
 */
const writtenUntil = (rows: readonly LedgerTable[]): number => {
  const newest = new Map<string, number>();
  for (const { process, ended_at: at } of rows)
    newest.set(process, Math.max(newest.get(process) ?? 0, Number(at ?? 0)));
  return Math.min(...newest.values());
};
const endedAt = ({ at }: Seen): number => performance.timeOrigin + at;

for (const store of stores) {
  describe(`a gateway that is killed under load, on ${store}`, () => {
    let upstream: LedgerUpstream;
    let scene: LedgerScene;
    before(async function () {
      if (store === 'postgres') requirePostgres(this);
      upstream = await startLedgerUpstream();
      scene = await startLedgerScene(store, upstream);
    });
    after(async () => {
      await scene?.stop();
      await upstream?.stop();
    });

    const kill = async (durability: 'batched' | 'strict', workers = 1): Promise<void> => {
      const known = new Set((await scene.rows()).map(({ process }) => process));
      const koine = await scene.start({ durability }, workers);
      const load = scene.load(koine, PAUSE_MS);
      await load.more(30);
      await delay(2 * APART_MS + Math.random() * 200);
      koine.signal('SIGKILL');
      await koine.exit;
      await load.stop();
      const rows = await scene.rows();
      const own = rows.filter(({ process, state }) => !known.has(process) && state === 'settled');
      const until = writtenUntil(own);
      const written = load.seen.filter((answer) => endedAt(answer) < until - APART_MS);
      expect(written).to.not.be.empty;
      expectRows(rows, written);
    };

    it('a killed gateway loses no row of a response that ended before its newest written row', () => kill('batched'));

    it('killed workers lose no row of a response that ended before the newest written row of each', () =>
      kill('batched', 2));

    it('loses no row of a response that ended before the database stopped accepting writes', async () => {
      const koine = await scene.start();
      const load = scene.load(koine, PAUSE_MS);
      await load.more(30);
      await delay(APART_MS);
      const blockedAt = performance.now();
      const unblock = await blockWrites(scene.url);
      await load.more(30);
      koine.signal('SIGKILL');
      await koine.exit;
      await unblock();
      await load.stop();
      const written = load.seen.filter(({ at }) => at < blockedAt - APART_MS / 2);
      expect(written).to.not.be.empty;
      expectRows(await scene.rows(), written);
    });

    it('a killed gateway loses no row of a request that reached the provider when durability is strict', async () => {
      const before = new Map(upstream.reached);
      const known = new Set((await scene.rows()).map(({ id }) => id));
      await kill('strict');
      const rows = (await scene.rows()).filter(({ id }) => !known.has(id));
      for (const [client, count] of upstream.reached)
        expect(rows.filter(({ key }) => key === client).length, `rows of ${client}`).to.be.at.least(
          count - (before.get(client) ?? 0),
        );
    });

    it('a killed gateway leaves open rows that the next process marks as abandoned, with an estimated cost', async () => {
      const koine = await scene.start();
      // Until the rows of the processes that were killed earlier are abandoned, they are open as well.
      await scene.closed();
      const load = scene.load(koine);
      await load.more(clients.length);
      await upstream.hold(clients.length);
      // The rows of requests that ended just before are settled by then.
      await delay(APART_MS);
      const open = await scene.open(clients.length);
      koine.signal('SIGKILL');
      await koine.exit;
      const stopped = load.stop();
      upstream.release();
      await stopped;
      await scene.start();
      const abandoned = (await scene.closed()).filter(({ state }) => state === 'abandoned');
      expect(abandoned.map(({ id }) => id)).to.include.members(open.map(({ id }) => id));
      for (const row of abandoned) {
        expect(row).to.include({ outcome: 'abandoned', usage_source: 'estimated', status: null, target: 'vendor/one' });
        expect(row.input_tokens).to.be.above(0);
        expect(BigInt(row.cost ?? 0)).to.equal(BigInt(row.input_tokens) * 3_000n);
      }
      await expectSums(scene);
    });

    if (store === 'sqlite') {
      it('a killed gateway leaves an intact SQLite file', () =>
        expect(
          new DatabaseSync(scene.url.slice('sqlite:'.length), { timeout: 20_000 })
            .prepare('PRAGMA integrity_check')
            .get(),
        ).to.deep.include({ integrity_check: 'ok' }));
    }
  });
}
