import { expect } from 'chai';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerTable } from '../../plugins/ledger/tables.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { json, readJson } from '../support/admin.ts';
import { send } from '../support/http.ts';
import { modelIds, sceneModels } from '../support/scene.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { readLedger } from '../ledger/read-ledger.ts';
import { runKoine, type KoineProcess } from '../processes/koine-process.ts';
import { until } from '../support/until.ts';
import { sharedPostgres } from '../support/servers/databases.ts';
import { requirePostgres } from '../support/servers/postgres.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { answerByTag, callers, EMBEDDER, PATIENT, patientTargets, runWorkload, secretOf } from './workload.ts';

const REQUESTS = 300;
const USD = 1_000;
const TOKENS = 1_000_000_000;
/** Prices with a different rate for each kind of token. */
const price = { input: 1.37, output: 7.91, cacheRead: 0.133, cacheWrite5m: 1.71, cacheWrite1h: 2.74 };
const priced = (entry: object): object => ({ ...entry, price });
const everyWire = ['chat-completions', 'messages', 'responses', 'generate-content', 'embeddings'];

/** Money in nano-dollars. */
interface Sums {
  readonly cost: number;
  readonly tokens: number;
}

interface Scene {
  readonly gateways: readonly KoineProcess[];
  readonly database: string;
}

const folder = createTemporaryFolder();
after(() => folder.remove());

const settingsOf = (
  upstream: TestUpstream,
  database: string,
  redis: string | undefined,
  workers: number,
): Readonly<Record<string, unknown>> => ({
  server: { workers, overload: { lag: '1m' }, readOn: { time: '1s' } },
  store: { database, ...(redis === undefined ? {} : { redis, redisTimeout: '2s' }) },
  providers: {
    simulator: { use: 'simulator' },
    openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${upstream.url}/v1` } },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
    google: { use: 'google', config: { apiKey: 'upstream-secret', baseUrl: upstream.url } },
  },
  models: {
    ...Object.fromEntries(Object.values(modelIds).map((id) => [id, priced(sceneModels[id] ?? {})])),
    [PATIENT]: priced({ wires: everyWire, targets: patientTargets }),
    [EMBEDDER]: priced({ wires: everyWire, targets: [{ provider: 'simulator', model: 'embed' }] }),
  },
  organizations: {
    acme: {
      limits: [
        { cost: USD, per: 'month' },
        { tokens: TOKENS, per: '31d' },
      ],
      keyLimits: [
        { cost: USD, per: 'week' },
        { tokens: TOKENS, per: '30d' },
      ],
      projects: { web: { keys: Object.fromEntries(callers.map((name) => [name, { key: secretOf(name) }])) } },
    },
  },
  plugins: [
    { use: 'metrics' },
    { use: 'auth' },
    { use: 'rate-limit' },
    { use: 'ledger', config: { spool: { path: join(folder.path, 'ledger.spool') } } },
    {
      use: 'failover',
      config: {
        wait: '0s',
        backoff: { base: '5ms' },
        cooldown: { rateLimit: '20ms' },
        circuit: { calls: 100_000, consecutive: 0 },
      },
    },
  ],
});

type Tokens =
  | 'input_tokens'
  | 'cache_read_tokens'
  | 'cache_write_5m_tokens'
  | 'cache_write_1h_tokens'
  | 'output_tokens';
const tokensOf = (row: Readonly<Record<Tokens, number | bigint>>): number =>
  Number(row.input_tokens) +
  Number(row.cache_read_tokens) +
  Number(row.cache_write_5m_tokens) +
  Number(row.cache_write_1h_tokens) +
  Number(row.output_tokens);
const sumOf = (
  rows: readonly (Parameters<typeof tokensOf>[0] & { readonly cost: number | bigint | null })[],
): Sums => ({
  cost: Number(rows.reduce((sum, { cost }) => sum + BigInt(cost ?? 0), 0n)),
  tokens: rows.reduce((sum, row) => sum + tokensOf(row), 0),
});

const rowsOf = ({ database }: Scene): Promise<readonly LedgerTable[]> =>
  readLedger(database, (ledger) => ledger.selectFrom('ledger').selectAll().execute());
const rollupsOf = ({ database }: Scene, step: 'hour' | 'day' | 'month'): Promise<Sums> =>
  readLedger(database, async (ledger) =>
    sumOf(await ledger.selectFrom('ledger_usage').selectAll().where('step', '=', step).execute()),
  );

/** The merged metrics of all gateways. */
const metricsOf = async ({ gateways }: Scene): Promise<Sums> => {
  const texts = await Promise.all(
    gateways.map(async ({ adminUrl }) => (await send(adminUrl, { method: 'GET', path: '/metrics', headers: {} })).text),
  );
  const sum = (name: string, test: RegExp): number =>
    texts
      .flatMap((text) => [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))])
      .reduce((total, [, labels = '', value]) => (test.test(labels) ? total + Number(value) : total), 0);
  return {
    cost: sum('koine_cost_total', /currency="usd"/i) * 1e9,
    tokens: sum('koine_tokens_total', /type="(input|output)"/),
  };
};

interface ExplainedLimit {
  readonly scope: string;
  readonly unit: string;
  readonly amount: number;
  readonly remaining: number;
  readonly spent?: number;
}
/** What the limits of a scope have counted, as the last gateway reports it. */
const countedOf = async (
  { gateways }: Scene,
  key: string,
  scope: string,
): Promise<Sums & { readonly reserved: number }> => {
  const reply = await send(gateways.at(-1)?.adminUrl ?? '', {
    path: '/admin/explain',
    headers: json,
    body: JSON.stringify({ key, model: PATIENT }),
  });
  const { plugins } = readJson<{
    readonly plugins: readonly {
      readonly use: string;
      readonly says?: { readonly limits: readonly ExplainedLimit[] };
    }[];
  }>(reply);
  const limits =
    plugins.find(({ use }) => use === 'rate-limit')?.says?.limits.filter((limit) => limit.scope === scope) ?? [];
  const find = (unit: string): ExplainedLimit =>
    limits.find((limit) => limit.unit === unit) ?? expect.fail(`no limit of ${unit}`);
  const [cost, tokens] = [find('cost'), find('tokens')];
  const spent = Math.round((cost.spent ?? 0) * 1e9);
  return {
    cost: spent,
    reserved: Math.round((cost.amount - cost.remaining) * 1e9) - spent,
    tokens: tokens.amount - tokens.remaining,
  };
};

/** The rows, after all gateways have been idle for a while and no row is open. */
const settled = async (scene: Scene): Promise<readonly LedgerTable[]> => {
  let [logged, since] = [-1, performance.now()];
  for (const deadline = since + 40_000; ; await delay(100)) {
    const now = performance.now();
    const lines = scene.gateways.flatMap((gateway) =>
      gateway.lines().filter(({ message }) => message === 'exchange'),
    ).length;
    if (lines !== logged) [logged, since] = [lines, now];
    const rows = await rowsOf(scene);
    const open = rows.filter(({ state }) => state === 'pending').length;
    if (open === 0 && now - since > 500) return rows;
    if (now > deadline) throw new Error(`${open} rows stay open, ${logged} exchanges were logged`);
  }
};

const start = async (
  settings: readonly Readonly<Record<string, unknown>>[],
  started: KoineProcess[],
): Promise<void> => {
  started.push(...settings.map((each) => runKoine(each)));
  const over = new Set<KoineProcess>();
  for (const koine of started) void koine.exit.then(() => over.add(koine));
  await until('the gateways serve', () => over.size > 0 || started.every(({ url }) => url !== ''));
  if (over.size > 0) throw new Error(`one did not start: ${[...over].map((koine) => koine.stderr()).join('')}`);
};

const expectEqualSums = (
  title: string,
  prepare: (context: Mocha.Context, started: KoineProcess[], upstream: TestUpstream) => Promise<string>,
): void => {
  describe(`after a random workload with faults, on ${title}`, () => {
    let upstream: TestUpstream;
    let scene: Scene;
    let rows: readonly LedgerTable[];
    const started: KoineProcess[] = [];
    before(async function () {
      upstream = await startUpstream();
      upstream.answer = answerByTag;
      scene = { gateways: started, database: await prepare(this, started, upstream) };
      await runWorkload(
        started.map(({ url }) => url),
        REQUESTS,
        20_261_121,
      );
      rows = await settled(scene);
    });
    after(async () => {
      for (const koine of started) await koine.end();
      await upstream.stop();
    });

    it('runs a workload with successes, failures, charged failed attempts and estimates', () => {
      // A client that disconnects at once may not have been seen by the gateway.
      expect(rows.length).to.be.within(REQUESTS * 0.9, REQUESTS);
      const outcomes = new Set(rows.map(({ outcome }) => outcome));
      expect([...outcomes]).to.include.members(['ok', 'upstream_error', 'client_closed']);
      expect(new Set(rows.map(({ wire }) => wire))).to.deep.equal(new Set(everyWire));
      expect(rows.filter(({ charges }) => charges !== null).length, 'of several charges').to.be.greaterThan(0);
      expect(rows.filter(({ usage_source }) => usage_source === 'estimated').length, 'estimated').to.be.greaterThan(20);
      expect(rows.filter(({ cost }) => cost === 0).length, 'free').to.be.greaterThan(10);
    });

    it('the sums of the ledger equal its rows', async () => {
      const expected = sumOf(rows);
      expect(expected.cost).to.be.greaterThan(1_000);
      for (const step of ['hour', 'day', 'month'] as const)
        expect(await rollupsOf(scene, step), step).to.deep.equal(expected);
    });

    it('the metrics equal the rows of the ledger', async () => {
      const expected = sumOf(rows);
      let metrics = await metricsOf(scene);
      // A request that its client left may still be settled.
      for (
        const deadline = performance.now() + 30_000;
        metrics.tokens < expected.tokens && performance.now() < deadline;
        metrics = await metricsOf(scene)
      )
        await delay(100);
      expect(metrics.tokens).to.equal(expected.tokens);
      expect(metrics.cost / expected.cost).to.be.closeTo(1, 1e-9);
    });

    it('the budgets equal the rows of the ledger, and nothing stays reserved', async () => {
      expect(await countedOf(scene, 'alice', 'organization')).to.deep.equal({ ...sumOf(rows), reserved: 0 });
      for (const caller of callers)
        expect(await countedOf(scene, caller, 'key'), caller).to.deep.equal({
          ...sumOf(rows.filter(({ key }) => key === caller)),
          reserved: 0,
        });
    });
  });
};

expectEqualSums('SQLite, with two workers', async (_context, started, upstream) => {
  const database = `sqlite:${join(folder.path, 'koine.db')}`;
  await start([settingsOf(upstream, database, undefined, 2)], started);
  return database;
});

let redis: RedisServer | undefined;
after(() => redis?.stop());
expectEqualSums('Postgres and Redis, with two gateways', async (context, started, upstream) => {
  requirePostgres(context);
  requireRedis(context);
  const [postgres, server] = await Promise.all([sharedPostgres(), startRedis()]);
  redis = server;
  const settings = settingsOf(upstream, postgres.url, redis.url, 1);
  await start([settings, settings], started);
  return postgres.url;
});
