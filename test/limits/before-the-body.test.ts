import { expect } from 'chai';
import { rawRequest } from '../support/raw.ts';
import { send, type HttpReply } from '../support/http.ts';
import { openRaw, type RawClient } from '../hostile/support/raw-client.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { headersOf, startLimited, type Limited } from './support/limited.ts';

const path = '/v1/chat/completions';
const hour = '1h';
const REQUESTS = 10;
const keys = {
  slow: [{ concurrent: 1 }],
  patient: [{ requests: REQUESTS, per: hour, enforce: false }],
  many: [
    { requests: 3, per: hour },
    { tokens: 1_000_000, per: hour },
  ],
  bad: [
    { requests: REQUESTS, per: hour },
    { tokens: 1_000_000, per: hour },
    { cost: 100, per: 'month' },
  ],
  few: [{ requests: 2, per: hour }],
  free: [{ requests: 3, per: hour }],
};
const notJson = '{"model":';
const unknownModel = JSON.stringify({ model: 'nobody/none', messages: [{ role: 'user', content: 'Hi' }] });
const misfit = JSON.stringify({
  model: 'simulator/chat',
  max_tokens: 10_000_000,
  messages: [{ role: 'user', content: 'Hi' }],
});

const bad = [
  { title: 'is not JSON', body: notJson, status: 400 },
  { title: 'names an unknown model', body: unknownModel, status: 404 },
  { title: 'can never be admitted', body: misfit, status: 400 },
];

for (const withRedis of [false, true]) {
  describe(`limits before the body is read, ${withRedis ? 'in Redis' : 'without Redis'}`, () => {
    let redis: RedisServer | undefined;
    let gateway: Limited;
    const clients: RawClient[] = [];
    before(async function () {
      if (withRedis) {
        requireRedis(this);
        redis = await startRedis();
      }
      gateway = await startLimited({ keys, ...(redis === undefined ? {} : { redis: redis.url, redisTimeout: '2s' }) });
    });
    afterEach(() => {
      for (const { socket } of clients.splice(0)) socket.destroy();
    });
    after(async () => {
      await gateway?.end();
      await redis?.stop();
    });

    const post = (key: string, body: string): Promise<HttpReply> =>
      send(gateway.url, { path, headers: headersOf(key), body });
    /** A request whose body never arrives. */
    const openSlow = async (key: string): Promise<RawClient> => {
      const head = rawRequest(path, '', ['content-length: 1000']).replace(
        /(?<=authorization: )[^\r]*/,
        headersOf(key).authorization,
      );
      const client = await openRaw(gateway.url, head);
      clients.push(client);
      return client;
    };
    const leftOf = async (key: string, unit: string): Promise<number | undefined> =>
      (await gateway.left(key)).find((limit) => limit.unit === unit)?.remaining;
    const untilLeft = (key: string, unit: string, wanted: number): Promise<void> =>
      until(`${wanted} ${unit} of ${key}`, async () => (await leftOf(key, unit)) === wanted);

    it('limits hold a place for each slow body, and refuse the others at once', async () => {
      const first = await openSlow('slow');
      const others = await Promise.all(Array.from({ length: 100 }, () => openSlow('slow')));
      await until('the others are answered', () =>
        others.every(({ received }) => received.startsWith('HTTP/1.1 429 ')),
      );
      expect(first.received).to.equal('');
      expect(others[0]?.received)
        .to.include('Rate limit exceeded: 1 concurrent request of the key slow')
        .and.match(/x-koine-limit: key;concurrent/i);
      expect((await gateway.ask('slow')).status).to.equal(429);
      expect((await gateway.ask('patient')).status, 'another key').to.equal(200);
      first.socket.destroy();
      await until('the place is free again', async () => (await gateway.ask('slow')).status === 200);
      expect((await gateway.ask('slow')).status, 'and stays free').to.equal(200);
    });

    it('limits refuse a request before its body if they are spent, with the same figures', async () => {
      for (let times = 0; times < 3; times += 1) expect((await gateway.ask('many')).status).to.equal(200);
      let [refused, client] = [await gateway.ask('many'), await openSlow('many')];
      // A refusal is repeated for a second: on a busy machine another one may be needed.
      await until('it is answered', async () => {
        if (client.received.includes('\r\n\r\n{')) return true;
        [refused, client] = [await gateway.ask('many'), await openSlow('many')];
        return false;
      });
      expect(refused.status).to.equal(429);
      expect(client.received)
        .to.match(/^HTTP\/1\.1 429 /)
        .and.include('Rate limit exceeded: 3 requests per 1h of the key many; try again in');
      const figures = ['limit-requests', 'remaining-requests', 'limit-tokens', 'remaining-tokens'].map(
        (name) => `x-ratelimit-${name}`,
      );
      for (const name of [...figures, 'retry-after', 'x-koine-limit']) {
        expect(client.received.toLowerCase()).to.include(`\r\n${name}: ${String(refused.headers[name])}\r\n`);
      }
      expect(await leftOf('many', 'requests')).to.equal(0);
    });

    for (const { title, body, status } of bad) {
      it(`limits count a request that ${title} as one request, without tokens or money`, async () => {
        const before = await leftOf('bad', 'requests');
        expect((await post('bad', body)).status).to.equal(status);
        await untilLeft('bad', 'requests', Number(before) - 1);
        expect([await leftOf('bad', 'tokens'), await leftOf('bad', 'cost')]).to.deep.equal([1_000_000, 100]);
      });
    }

    it('limits count bad requests like good ones, and then refuse them unread', async () => {
      for (let times = 1; times >= 0; times -= 1) {
        expect((await post('few', notJson)).status).to.equal(400);
        await untilLeft('few', 'requests', times);
      }
      await until('one is refused without being read', async () => {
        expect((await gateway.ask('few')).status).to.equal(429);
        return (await post('few', notJson)).status === 429;
      });
      expect(await leftOf('few', 'requests')).to.equal(0);
    });

    it('limits do not count a client that leaves before its body has arrived', async () => {
      const logged = gateway.exchanges().length;
      const client = await openSlow('free');
      client.socket.destroy();
      await until('it is over', () => gateway.exchanges().length > logged);
      expect((await gateway.ask('free')).headers['x-ratelimit-remaining-requests']).to.equal('2');
    });
  });
}

describe('bad requests of two workers without Redis', () => {
  it('bad requests of two workers are counted together', async () => {
    const gateway = await startLimited({ keys, workers: 2 });
    try {
      for (let times = 0; times < 6; times += 1) {
        expect((await send(gateway.url, { path, headers: headersOf('bad'), body: notJson })).status).to.equal(400);
      }
      await until(
        'all are counted',
        async () => (await gateway.left('bad')).find(({ unit }) => unit === 'requests')?.remaining === REQUESTS - 6,
      );
    } finally {
      await gateway.end();
    }
  });
});
