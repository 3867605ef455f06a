import { expect } from 'chai';
import { join } from 'node:path';
import OpenAI, { NotFoundError } from 'openai';
import { createKeepingVendor, type KeepingVendor } from '../e2e/stored/keeping-vendor.ts';
import { someTokens } from '../matrix/wires.ts';
import { runKoine, type KoineProcess } from '../processes/koine-process.ts';
import { requirePostgres, startPostgres, type PostgresServer } from '../support/servers/postgres.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { readLedger } from './read-ledger.ts';
import { LEASE, stores } from './scene.ts';
import type { LedgerTable } from '../../plugins/ledger/tables.ts';

const keys = { alice: 'alice-key-0123456789abcdef', other: 'other-key-0123456789abcdef' };
const request = { model: 'vendor/one', input: 'Hello', background: true, max_output_tokens: 500 } as const;

for (const store of stores) {
  describe(`background responses of two gateways that are killed, on ${store}`, () => {
    const folder = createTemporaryFolder();
    const started: KoineProcess[] = [];
    let vendor: KeepingVendor;
    let upstream: TestUpstream;
    let postgres: PostgresServer | undefined;
    let url: string;

    before(async function () {
      if (store === 'postgres') requirePostgres(this);
      vendor = createKeepingVendor();
      upstream = await startUpstream();
      upstream.answer = vendor.answer;
      postgres = store === 'postgres' ? await startPostgres('-c', 'synchronous_commit=on') : undefined;
      url = postgres?.url ?? `sqlite:${join(folder.path, 'koine.db')}`;
    });
    after(async () => {
      for (const koine of started) await koine.end();
      await upstream?.stop();
      await postgres?.stop();
      folder.remove();
    });

    const start = async (): Promise<KoineProcess> => {
      const koine = runKoine({
        store: { database: url },
        providers: {
          vendor: { use: 'openai', config: { apiKey: 'vendor-key-0123456789', baseUrl: `${upstream.url}/v1` } },
        },
        models: {
          'vendor/one': {
            wires: ['responses'],
            targets: [{ provider: 'vendor', model: 'one', wire: 'responses' }],
            price: { input: 3, output: 15 },
          },
        },
        organizations: {
          acme: {
            projects: {
              web: { keys: { alice: { key: keys.alice, limits: [{ cost: 5, per: 'day' }] } } },
              shop: { keys: { other: { key: keys.other } } },
            },
          },
        },
        plugins: [
          { use: 'metrics' },
          { use: 'auth' },
          { use: 'rate-limit' },
          { use: 'ledger', config: { lease: LEASE, spool: { path: join(folder.path, 'spool') } } },
        ],
      });
      started.push(koine);
      await until('the gateway serves', () => koine.url !== '');
      return koine;
    };
    const clientOf = (koine: KoineProcess, key: keyof typeof keys = 'alice'): OpenAI =>
      new OpenAI({ apiKey: keys[key], baseURL: `${koine.url}/v1`, maxRetries: 0, timeout: 20_000 });
    const create = async (koine: KoineProcess): Promise<{ readonly response: string; readonly id: string }> => {
      const { data, request_id: id } = await clientOf(koine).responses.create(request).withResponse();
      return { response: data.id, id: id ?? '' };
    };
    const kill = async (koine: KoineProcess): Promise<void> => {
      koine.signal('SIGKILL');
      await koine.exit;
    };
    const rowsOf = async (id: string): Promise<readonly LedgerTable[]> =>
      (await readLedger(url, (database) => database.selectFrom('ledger').selectAll().execute())).filter(
        (row) => row.id === id,
      );
    const settled = (id: string): Promise<void> =>
      until(`the row of ${id} is settled`, async () => (await rowsOf(id))[0]?.state === 'settled', 100);
    /** The lines of its end, of all gateways. */
    const endsOf = (id: string): number =>
      started
        .flatMap((koine) => koine.lines())
        .filter((line) => line['request_id'] === id && line['operation'] === 'background').length;
    const expectOnce = async (id: string): Promise<void> => {
      const rows = await rowsOf(id);
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({
        state: 'settled',
        outcome: 'ok',
        key: 'alice',
        output_tokens: someTokens.output,
        usage_source: 'provider',
      });
      expect(endsOf(id), `ends of ${id}`).to.equal(1);
    };

    it('each has one row and one settlement, by the first that sees its end: a poll at the other gateway, the other gateway, or the next one', async function () {
      this.timeout(150_000);
      const [one, two] = [await start(), await start()];
      const polled = await create(one);
      const orphans = [await create(one), await create(one)] as const;

      vendor.end(polled.response);
      expect(await clientOf(two).responses.retrieve(polled.response)).to.include({ status: 'completed' });
      await settled(polled.id);
      expect(await clientOf(one).responses.retrieve(polled.response)).to.include({ status: 'completed' });
      await expectOnce(polled.id);

      await kill(one);
      vendor.end(orphans[0].response);
      await settled(orphans[0].id);
      await expectOnce(orphans[0].id);
      expect((await rowsOf(orphans[1].id))[0]?.state).to.not.equal('settled');

      await kill(two);
      const three = await start();
      const foreign = await clientOf(three, 'other')
        .responses.retrieve(orphans[1].response)
        .catch((error: unknown) => error);
      expect(foreign).to.be.instanceOf(NotFoundError);
      expect(await clientOf(three).responses.retrieve(orphans[1].response)).to.include({ status: 'queued' });
      vendor.end(orphans[1].response);
      await settled(orphans[1].id);
      expect(await clientOf(three).responses.retrieve(orphans[1].response)).to.include({ status: 'completed' });
      for (const { id } of [polled, ...orphans]) await expectOnce(id);

      const { exchanges, cost } = await readLedger(url, async (database) => {
        const sums = await database.selectFrom('ledger_usage').selectAll().where('step', '=', 'month').execute();
        return {
          exchanges: sums.reduce((total, sum) => total + Number(sum.exchanges), 0),
          cost: sums.reduce((total, sum) => total + BigInt(sum.cost), 0n),
        };
      });
      const costs = await Promise.all([polled, ...orphans].map(async ({ id }) => (await rowsOf(id))[0]?.cost ?? 0));
      expect(exchanges).to.equal(3);
      expect(cost).to.equal(costs.reduce<bigint>((total, each) => total + BigInt(each), 0n));
    });
  });
}
