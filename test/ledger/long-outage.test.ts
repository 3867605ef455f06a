import { expect } from 'chai';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { KoineProcess } from '../processes/koine-process.ts';
import { send } from '../support/http.ts';
import { parseMetrics, sumOf } from '../support/parse-metrics.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { until } from '../support/until.ts';
import { clients, keyOf } from './load.ts';
import { expectSums, startLedgerScene, type LedgerScene } from './scene.ts';
import { startLedgerUpstream, type LedgerUpstream } from './upstream.ts';

const CONNECTIONS = 64;
/** More than fits into 16 MB. */
const ROWS = 2_000;
/** Each row has these, and what the vendor sent of the usage: it takes some 9 kB, so that few rows are many bytes. */
const tags = Array.from({ length: 10 }, (_, index) => `tag${index}=${'x'.repeat(128)}`).join();
const usage = { remark: 'x'.repeat(7_500) };

describe('a long outage of Postgres', function () {
  this.timeout(300_000);
  const agent = new Agent({ connections: CONNECTIONS });
  let upstream: LedgerUpstream;
  let scene: LedgerScene;
  before(async function () {
    requirePostgres(this);
    upstream = await startLedgerUpstream(usage);
    scene = await startLedgerScene('postgres', upstream);
  });
  after(async () => {
    await agent.close();
    await scene?.stop();
    await upstream?.stop();
  });

  const body = JSON.stringify({ model: 'vendor/one', messages: [{ role: 'user', content: 'hello' }] });
  const ask = async (koine: KoineProcess, client = clients[0] ?? ''): Promise<{ id: string; status: number }> => {
    const headers = {
      'authorization': `Bearer ${keyOf(client)}`,
      'content-type': 'application/json',
      'x-koine-tags': tags,
    };
    const url = `${koine.url}/v1/chat/completions`;
    const reply = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    await reply.body.dump();
    return { id: String(reply.headers['x-request-id']), status: reply.statusCode };
  };
  /** Sends this many requests over all connections. */
  const flood = async (koine: KoineProcess, amount: number): Promise<readonly { id: string; status: number }[]> => {
    let left = amount;
    const answers: { id: string; status: number }[] = [];
    const repeat = async (): Promise<void> => {
      while ((left -= 1) >= 0) answers.push(await ask(koine));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, repeat));
    return answers;
  };
  const files = (): readonly string[] => readdirSync(scene.folder).filter((name) => name.startsWith('spool.'));
  const bytes = (): number => files().reduce((sum, name) => sum + statSync(join(scene.folder, name)).size, 0);
  const logged = (koine: KoineProcess, start: string): boolean =>
    koine.lines().some(({ message }) => String(message).startsWith(start));
  const takeAway = async (koine: KoineProcess): Promise<void> => {
    scene.postgres?.kill();
    await ask(koine);
    await until('the ledger notices', () => logged(koine, 'the ledger cannot be written'));
  };
  /** Expects one row of each of these responses, and no other settled one. */
  const expectOnce = async (ids: readonly string[]): Promise<void> => {
    const rows = (await scene.closed()).filter(({ state }) => state === 'settled').map(({ id }) => id);
    expect(rows.length).to.equal(new Set(rows).size);
    const found = new Set(rows);
    expect(ids.filter((id) => !found.has(id)).length, 'responses without a row').to.equal(0);
    await expectSums(scene);
  };

  it('loses no row, however many gather, and writes each once', async () => {
    const koine = await scene.start();
    await takeAway(koine);
    const answers = await flood(koine, ROWS);
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(bytes()).to.be.above(16 * 1_048_576);
    await scene.postgres?.restart();
    await until('all rows are written', () => logged(koine, 'the ledger is written again'), 100);
    await expectOnce(answers.map(({ id }) => id));
    koine.signal('SIGTERM');
    await koine.exit;
    expect(files()).to.be.empty;
  });

  it('leaves the rows to the next process when the gateway is killed during the outage', async () => {
    const koine = await scene.start();
    await takeAway(koine);
    const answers = await flood(koine, 200);
    koine.signal('SIGKILL');
    await koine.exit;
    await scene.postgres?.restart();
    const next = await scene.start();
    await until('the files are written', () => files().length === 0, 100);
    await expectOnce(answers.map(({ id }) => id));
    next.signal('SIGTERM');
    await next.exit;
  });

  for (const onFull of ['refuse', 'allow'] as const) {
    it(`does what the operator has chosen when the spool is full: ${onFull}`, async () => {
      const spool = { path: join(scene.folder, 'spool'), size: '100kb', onFull };
      const koine = await scene.start({ spool });
      await takeAway(koine);
      const answers = await flood(koine, 100);
      const reached = [...upstream.reached.values()].reduce((sum, count) => sum + count, 0);
      const late = await flood(koine, 20);
      expect(new Set(late.map(({ status }) => status))).to.deep.equal(new Set([onFull === 'refuse' ? 503 : 200]));
      const more = [...upstream.reached.values()].reduce((sum, count) => sum + count, 0) - reached;
      expect(more).to.equal(onFull === 'refuse' ? 0 : 20);
      await scene.postgres?.restart();
      await until('all rows are written', () => logged(koine, 'the ledger is written again'), 100);
      expect((await ask(koine)).status).to.equal(200);
      const served = [...answers, ...late].filter(({ status }) => status === 200).map(({ id }) => id);
      if (onFull === 'refuse') await expectOnce(served);
      else {
        const { text } = await send(koine.adminUrl, { method: 'GET', path: '/metrics', headers: {} });
        const lost = sumOf(parseMetrics(text), 'koine_ledger_write_errors_total', { store: 'spool' });
        const rows = new Set((await scene.closed()).map(({ id }) => id));
        expect(served.filter((id) => !rows.has(id)).length).to.equal(lost);
        expect(lost).to.be.above(20);
      }
      koine.signal('SIGTERM');
      await koine.exit;
    });
  }
});
