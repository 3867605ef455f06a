import { expect } from 'chai';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { requirePostgres } from '../servers/postgres.ts';
import { clients } from './load.ts';
import { holdAnswers, holdSums, startLedgerScene, stores, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** What was answered so long before the kill is in the ledger, */
const LOSS_MS = 100;
/** by a machine that is not late itself: how late this process was at worst, in milliseconds, for each of the threads that a row passes. */
const watchLateness = (): (() => number) => {
  let [worst, expected] = [0, performance.now() + 5];
  const timer = setInterval(() => {
    worst = Math.max(worst, performance.now() - expected);
    expected = performance.now() + 5;
  }, 5);
  return () => {
    clearInterval(timer);
    return 3 * worst;
  };
};

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

    const kill = async (durability: 'batched' | 'strict'): Promise<void> => {
      const koine = await scene.start({ durability });
      const load = scene.load(koine);
      await load.more(60);
      const late = watchLateness();
      await delay(200 + Math.random() * 200);
      const killedAt = performance.now();
      koine.signal('SIGKILL');
      const lossMs = LOSS_MS + late();
      await koine.exit;
      await load.stop();
      holdAnswers(await scene.rows(), load.seen.filter(({ at }) => at < killedAt - lossMs));
    };

    it('has lost no row of an answer that was complete a tenth of a second before', () => kill('batched'));

    it('has lost no row of a request that reached the provider, where it was strict', async () => {
      const before = new Map(upstream.reached);
      const known = new Set((await scene.rows()).map(({ id }) => id));
      await kill('strict');
      const rows = (await scene.rows()).filter(({ id }) => !known.has(id));
      for (const [client, count] of upstream.reached) expect(rows.filter(({ key }) => key === client).length, `rows of ${client}`).to.be.at.least(count - (before.get(client) ?? 0));
    });

    it('leaves open rows to the next one, which marks them as abandoned and estimates what they cost', async () => {
      const koine = await scene.start();
      const load = scene.load(koine);
      await load.more(clients.length);
      await upstream.hold(clients.length);
      // What the killed ones before it left open is found by now.
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
      await holdSums(scene);
    });

    if (store === 'sqlite') {
      it('leaves a whole file', () => expect(new DatabaseSync(scene.url.slice('sqlite:'.length)).prepare('PRAGMA integrity_check').get()).to.deep.include({ integrity_check: 'ok' }));
    }
  });
}
