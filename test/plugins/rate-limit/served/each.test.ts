import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startKoine, type KoineProcess } from '../../../processes/koine-process.ts';
import { KEY, startTestGateway } from '../../../support/gateway.ts';
import { goodHeaders, send, type HttpReply } from '../../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const ask = (url: string, user?: string, tags?: string): Promise<HttpReply> =>
  send(url, {
    path: '/v1/chat/completions',
    headers: {
      ...goodHeaders,
      authorization: `Bearer ${KEY}`,
      ...(tags === undefined ? {} : { 'x-koine-tags': tags }),
    },
    body: JSON.stringify({ model: 'simulator/chat', messages: [{ role: 'user', content: 'Hi' }], user }),
  });

const settings = {
  providers: { simulator: { use: 'simulator' } },
  models: {
    'simulator/chat': {
      targets: [{ provider: 'simulator', model: 'chat?inputTokens=1000&outputTokens=10' }],
      price: { input: 1, output: 1 },
    },
  },
  organizations: {
    acme: {
      projects: {
        web: {
          limits: [
            { requests: 5, per: '1h', each: 'user' },
            { requests: 3, per: '1h', each: 'tag:team' },
          ],
          keys: { alice: { key: KEY } },
        },
      },
    },
  },
  plugins: [{ use: 'auth' }, { use: 'rate-limit' }],
};

const statusesOf = (replies: readonly HttpReply[]): readonly [ok: number, refused: number] => [
  replies.filter(({ status }) => status === 200).length,
  replies.filter(({ status }) => status === 429).length,
];

describe('rate-limit: limits of each user, over two workers', () => {
  let koine: KoineProcess;
  before(async () => {
    koine = await startKoine({ ...settings, server: { workers: 2 } });
  });
  after(() => koine?.end());

  it('two workers admit exactly five requests of each user, and all without one', async () => {
    const users = ['ann', 'ben', undefined];
    const replies = await Promise.all(
      users.map((user) => Promise.all(Array.from({ length: 12 }, () => ask(koine.url, user)))),
    );
    expect(replies.map(statusesOf)).to.deep.equal([
      [5, 7],
      [5, 7],
      [12, 0],
    ]);
    const refused = replies[0]?.find(({ status }) => status === 429);
    expect(refused?.text).to.include('5 requests per 1h for each user of the project web');
    expect(refused?.headers['x-koine-limit']).to.equal('project;requests;1h;user');
  });
});

describe('rate-limit: limits of each user, in Redis', () => {
  let redis: RedisServer;
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.stop());

  it('two gateways admit exactly five requests of each user, and three of each team', async () => {
    const store = { database: 'sqlite::memory:', redis: redis.url };
    const gateways = await Promise.all([0, 1].map(() => startTestGateway({ ...settings, store })));
    const spread = (user?: string, tags?: string): Promise<readonly HttpReply[]> =>
      Promise.all(Array.from({ length: 10 }, (_, index) => ask(gateways[index % 2]?.url ?? '', user, tags)));
    const hostile = `a:b}{${'\u00e4'.repeat(500)}*;`;
    expect(statusesOf(await spread('ann'))).to.deep.equal([5, 5]);
    expect(statusesOf(await spread(hostile))).to.deep.equal([5, 5]);
    expect(statusesOf(await spread(undefined, 'team=search'))).to.deep.equal([3, 7]);
    expect(statusesOf(await spread())).to.deep.equal([10, 0]);
    const client = new Redis(redis.url);
    const keys = await client.keys('*');
    const named = keys.filter((key) => key.includes(';user;') || key.includes(';tag:team;'));
    expect(named).to.have.length(3);
    for (const key of named) {
      expect(key)
        .to.match(/;[0-9a-f]{32}$/)
        .and.not.match(/ann|search/);
      expect(await client.pttl(key)).to.be.within(1, 2 * 3_600_000);
    }
    client.disconnect();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });
});

describe('rate-limit: budgets of each user', () => {
  it('begin with what the ledger has for the user, after a restart', async () => {
    const folder = createTemporaryFolder();
    const store = { database: `sqlite:${folder.path}/koine.db` };
    const budgets = {
      ...settings,
      store,
      organizations: {
        acme: {
          projects: { web: { keys: { alice: { key: KEY, limits: [{ cost: 0.0055, per: 'month', each: 'user' }] } } } },
        },
      },
      plugins: [{ use: 'auth' }, { use: 'rate-limit' }, { use: 'ledger' }],
    };
    // A request costs 0.00101 USD, and reserves 0.0041 for 4,096 tokens of output.
    const first = await startTestGateway(budgets);
    expect((await ask(first.url, 'ann')).status).to.equal(200);
    await first.settled(1);
    expect((await ask(first.url, 'ann')).status).to.equal(200);
    await first.settled(2);
    expect((await ask(first.url, 'ann')).status).to.equal(429);
    await first.stop();
    const second = await startTestGateway(budgets);
    const refused = await ask(second.url, 'ann');
    expect(refused.status).to.equal(429);
    expect(refused.text).to.include('0.0055 USD per month for each user of the key alice');
    expect((await ask(second.url, 'ben')).status).to.equal(200);
    await second.stop();
    folder.remove();
  });
});
