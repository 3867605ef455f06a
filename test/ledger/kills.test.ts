import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerTable } from '../../plugins/ledger/tables.ts';
import type { KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { clients, keyOf, startLoad, type Seen } from './load.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { expectRows, expectSums, startLedgerScene, stores, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

/** `KOINE_KILLS=100 npx mocha test/ledger/kills.test.ts` kills a hundred times, on each store. */
const KILLS = Number(process.env['KOINE_KILLS'] ?? 6);
/** Rows are written every 100 ms: at any moment of it. */
const LONGEST_MS = 200;

for (const store of stores)
  describe(`a gateway that is killed at any moment, on ${store}`, function () {
    this.timeout(60_000 + KILLS * 20_000);
    let upstream: LedgerUpstream;
    let scene: LedgerScene;
    const started: KoineProcess[] = [];
    before(async function () {
      if (store === 'postgres') requirePostgres(this);
      upstream = await startLedgerUpstream();
      scene = await startLedgerScene(store, upstream);
    });
    after(async () => {
      await scene?.stop();
      await upstream?.stop();
    });

    const start = async (workers: number): Promise<KoineProcess> => {
      const koine = await scene.start({}, workers);
      started.push(koine);
      await until('its workers serve', () => koine.workers().length === (workers === 1 ? 0 : workers));
      return koine;
    };
    /** The rows, once the next start has written what is in files. */
    const rowsAfterRestart = async (): Promise<readonly LedgerTable[]> => {
      const koine = await start(1);
      await until('every file is written', () => readdirSync(scene.folder).every((name) => !name.startsWith('spool.')));
      const rows = await scene.closed();
      koine.signal('SIGTERM');
      await koine.exit;
      return rows;
    };
    const loggedIds = (): ReadonlySet<unknown> =>
      new Set(started.flatMap((koine) => koine.lines().map((line) => line['request_id'])));

    it('has a row and a log line of every whole response, whichever process is killed under load', async () => {
      const seen: Seen[] = [];
      let kills = 0;
      const wait = (): Promise<void> => delay(Math.random() * LONGEST_MS);
      while (kills < KILLS) {
        const workers = kills % 3 === 0 ? 1 : 2;
        const koine = await start(workers);
        const load = startLoad(koine.url, 0);
        await load.more(30);
        await wait();
        if (workers === 2) {
          const victim = koine.workers().at(Math.random() < 0.5 ? 0 : 1);
          koine.kill(victim ?? 0);
          kills += 1;
          await until('another worker serves', () => koine.workers().length === 3);
          await load.more(30);
          await wait();
        }
        koine.signal('SIGKILL');
        kills += 1;
        await koine.exit;
        await load.stop();
        seen.push(...load.seen);
      }
      const rows = await rowsAfterRestart();
      if (process.env['KOINE_KILLS'] !== undefined)
        process.stdout.write(`${store}: ${kills} kills, ${seen.length} whole responses, ${rows.length} rows\n`);
      const byId = new Set(rows.map(({ id }) => id));
      const lines = loggedIds();
      expect(seen.filter(({ id }) => !byId.has(id)).length, 'responses without a row').to.equal(0);
      expect(seen.filter(({ id }) => !lines.has(id)).length, 'responses without a line').to.equal(0);
      expectRows(rows, seen);
      expect(byId.size).to.equal(rows.length);
      await expectSums(scene);
    });

    const requests = {
      'a plain response': { model: 'vendor/one' },
      'a stream': { model: 'vendor/one', stream: true },
      'an error': { model: 'vendor/none' },
    } as const;
    /** Kills the first process as soon as the client has the last byte. Resolves with the id of the response. */
    const killAtLastByte = (koine: KoineProcess, body: object): Promise<string> =>
      new Promise((resolve, reject) => {
        const [client = ''] = clients;
        const headers = { 'authorization': `Bearer ${keyOf(client)}`, 'content-type': 'application/json' };
        const sent = request(`${koine.url}/v1/chat/completions`, { method: 'POST', headers, agent: false });
        sent.once('error', reject);
        sent.once('response', (response) => {
          response.resume().once('end', () => {
            koine.signal('SIGKILL');
            resolve(String(response.headers['x-request-id']));
          });
        });
        sent.end(JSON.stringify({ messages: [{ role: 'user', content: `${client} hello` }], ...body }));
      });

    // These need no database: what is written before the last byte is a file.
    if (store === 'sqlite')
      describe('when its client has the last byte', () => {
        const ids: string[] = [];
        for (const [kind, body] of Object.entries(requests)) {
          for (const workers of kind === 'a stream' ? [1, 2] : [1]) {
            it(`has the line of ${kind}, workers: ${workers}`, async () => {
              const koine = await start(workers);
              const id = await killAtLastByte(koine, body);
              ids.push(id);
              await koine.exit;
              expect(loggedIds()).to.include(id);
            });
          }
        }

        it('has the row of each, once the next process has written it', async () => {
          expect(ids).to.have.length(4);
          expect((await rowsAfterRestart()).map((row) => row.id)).to.include.members(ids);
        });
      });
  });
