import { expect } from 'chai';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/receivers.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { send } from '../support/http.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startLimited, VENDOR, type Limited, type LimitedSettings } from './support/limited.ts';
import { tellRedis } from './support/redis-look.ts';
import { answerPlain } from './support/vendor.ts';

const SECRET = 'a secret of this test';
/** The cost of every response: 100,000 tokens at a micro-dollar. */
const ANSWER_USD = 0.1;
const budget = { cost: 1, per: 'month', soft: [0.5, 0.8] };

interface Received {
  readonly event: string;
  readonly threshold?: number;
  readonly spent: string;
  readonly path: object;
}

describe('budgets', () => {
  let upstream: TestUpstream;
  let receiver: WebhookReceiver;
  const received = (): readonly Received[] => receiver.events.map(({ body }) => JSON.parse(body) as Received);
  let redis: RedisServer;
  const folder = createTemporaryFolder();
  let gateways: Limited[] = [];
  let databases = 0;
  /** In a folder of its own: rows that a gateway leaves behind wait beside its database. */
  const newDatabase = (): string => {
    const path = join(folder.path, `${(databases += 1)}`);
    mkdirSync(path);
    return `sqlite:${join(path, 'koine.db')}`;
  };
  before(async () => {
    upstream = await startUpstream();
    upstream.answer = (response) => answerPlain(response, { input: 99_990, output: 10 });
  });
  beforeEach(async () => {
    receiver = await startWebhookReceiver(SECRET);
  });
  afterEach(async () => {
    for (const gateway of gateways) await gateway.end();
    gateways = [];
    await receiver.stop();
    await redis?.stop();
  });
  after(async () => {
    await upstream.stop();
    folder.remove();
  });

  const start = async (count: number, settings: Partial<LimitedSettings>): Promise<readonly Limited[]> => {
    const webhook = { url: receiver.url, secret: SECRET };
    const started = await Promise.all(
      Array.from({ length: count }, () =>
        startLimited({
          keys: { alice: [], bob: [] },
          organization: [budget],
          alerts: { webhook },
          vendor: upstream.url,
          ...settings,
        }),
      ),
    );
    gateways.push(...started);
    return started;
  };
  const ask = async (gateway: Limited | undefined, key = 'alice'): Promise<number> =>
    (await gateway?.ask(key, { model: VENDOR }))?.status ?? 0;
  const spentOf = async (gateway: Limited | undefined): Promise<number | undefined> =>
    (await gateway?.left('alice', VENDOR))?.find(({ unit }) => unit === 'cost')?.spent;
  const countRows = async (gateway: Limited | undefined): Promise<number> => {
    const { text } = await send(gateway?.adminUrl ?? '', { method: 'GET', path: '/admin/usage', headers: {} });
    return (JSON.parse(text) as { readonly totals: { readonly exchanges: number } }).totals.exchanges;
  };
  const spends = (gateway: Limited | undefined, usd: number): Promise<void> =>
    until(`$${usd} are spent`, async () => Math.abs(((await spentOf(gateway)) ?? 0) - usd) < 1e-9, 100);

  it('budgets send one alert for each threshold from two gateways on one Redis', async function () {
    requireRedis(this);
    redis = await startRedis();
    const both = await start(2, { redis: redis.url, redisTimeout: '2s' });
    expect(await Promise.all(Array.from({ length: 10 }, (_, index) => ask(both[index % 2])))).to.deep.equal(
      Array.from({ length: 10 }, () => 200),
    );
    await until('all alerts are sent', () => receiver.events.length >= 3);
    expect(await Promise.all([ask(both[0]), ask(both[1]), ask(both[0], 'bob'), ask(both[1], 'bob')])).to.deep.equal([
      429, 429, 429, 429,
    ]);
    await until('the refusal is sent', () => receiver.events.length >= 4);
    await delay(200);
    const sent = received()
      .map(({ event, threshold }) => `${event} ${threshold}`)
      .toSorted();
    expect(sent).to.deep.equal([
      'budget.refused undefined',
      'budget.threshold 0.5',
      'budget.threshold 0.8',
      'budget.threshold 1',
    ]);
    expect(received().map(({ path }) => path)).to.deep.equal(
      Array.from({ length: 4 }, () => ({ organization: 'acme' })),
    );
    const said = () => both.flatMap((gateway) => gateway.saying('a budget has reached a threshold'));
    await until('their lines have come', () => said().length >= 3);
    expect(said()).to.have.length(3);
  });

  it('budget alerts do not delay requests if the webhook does not respond', async () => {
    receiver.answers = [0];
    const [gateway] = await start(1, {});
    for (let index = 0; index < 10; index += 1) expect(await ask(gateway)).to.equal(200);
    await until('it was sent', () => receiver.events.length >= 3);
    expect(await ask(gateway)).to.equal(429);
    // The first event has no response yet.
    expect(gateway?.saying('an alert was not accepted: it is sent again')).to.deep.equal([]);
  });

  it('budgets continue from the ledger after a restart without Redis', async () => {
    const database = newDatabase();
    const [first] = await start(1, { database });
    for (let index = 0; index < 6; index += 1) expect(await ask(first)).to.equal(200);
    await until('a threshold', () => receiver.events.length === 1);
    first?.signal('SIGTERM');
    await first?.exit;
    const [second] = await start(1, { database });
    await spends(second, 6 * ANSWER_USD);
    const statuses = await Promise.all(Array.from({ length: 4 }, () => ask(second)));
    expect(statuses).to.deep.equal([200, 200, 200, 200]);
    await spends(second, 1);
    expect(await ask(second)).to.equal(429);
  });

  it('budgets continue from the ledger in a Redis that was emptied, whichever of two gateways comes first', async function () {
    requireRedis(this);
    redis = await startRedis();
    const database = newDatabase();
    const settings = { redis: redis.url, redisTimeout: '2s', database };
    const both = [...(await start(1, settings)), ...(await start(1, settings))];
    for (let index = 0; index < 6; index += 1) expect(await ask(both[index % 2])).to.equal(200);
    await spends(both[0], 6 * ANSWER_USD);
    await until('the ledger has its rows', async () => (await countRows(both[0])) === 6, 100);
    await tellRedis(redis, 'FLUSHALL');
    expect(await Promise.all([ask(both[0]), ask(both[1]), ask(both[0]), ask(both[1])])).to.deep.equal([
      200, 200, 200, 200,
    ]);
    await spends(both[1], 1);
    expect(await ask(both[0])).to.equal(429);
  });
});
