import { expect } from 'chai';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { callOf } from '../../support/calls.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { until } from '../../support/until.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { createStoringVendor, secretOf, type StoringVendor } from './storing-vendor.ts';

const MODEL = 'openai/talk';
const keys = { web: 'web-key-0123456789abcdef', shop: 'shop-key-0123456789abcdef' };
const organizations = {
  acme: { projects: { web: { keys: { web: { key: keys.web } } }, shop: { keys: { shop: { key: keys.shop } } } } },
};

for (const { title, workers, hosts, hasRedis } of [
  { title: 'two workers', workers: 2, hosts: 1, hasRedis: false },
  { title: 'two hosts with Redis', workers: 1, hosts: 2, hasRedis: true },
]) {
  describe(`objects stored at a vendor, and ${title}`, () => {
    let redis: RedisServer | undefined;
    let upstream: TestUpstream;
    let vendor: StoringVendor;
    let gateways: readonly KoineProcess[] = [];
    before(async function () {
      if (hasRedis) requireRedis(this);
      redis = hasRedis ? await startRedis() : undefined;
      upstream = await startUpstream();
      vendor = createStoringVendor();
      upstream.answer = vendor.answer;
      const config = { baseUrl: `${upstream.url}/v1`, apiKeys: ['upstream-secret-1', 'upstream-secret-2'] };
      const settings = {
        // On a busy machine a late event loop is no overload, and a slow Redis no outage.
        server: { workers, overload: { lag: '1m' } },
        store: {
          database: 'sqlite:./koine.db',
          ...(redis === undefined ? {} : { redis: redis.url, redisTimeout: '10s' }),
        },
        organizations,
        providers: { openai: { use: 'openai', config } },
        models: { [MODEL]: { wires: ['responses'], targets: [{ provider: 'openai', model: 'x', wire: 'responses' }] } },
        plugins: [{ use: 'auth' }, { use: 'failover', config: { retries: 0 } }],
      };
      gateways = await Promise.all(Array.from({ length: hosts }, () => startKoine(settings)));
      // A start waits half a second for Redis. What it cannot record until it is connected stays unknown.
      const isConnected = (gateway: KoineProcess): boolean =>
        gateway.lines().some(({ message }) => message === 'connected to Redis');
      if (hasRedis) await until('every host is connected to Redis', () => gateways.every(isConnected));
    });
    after(async () => {
      await Promise.all(gateways.map((gateway) => gateway.end()));
      await upstream?.stop();
      await redis?.stop();
    });

    let sent = 0;
    const respond = (key: keyof typeof keys, more: Readonly<Record<string, unknown>> = {}): Promise<HttpReply> => {
      sent += 1;
      return send(gateways[sent % hosts]?.url ?? '', {
        ...callOf('responses', MODEL, { more, stream: more['stream'] === true }),
        headers: { ...goodHeaders, authorization: `Bearer ${keys[key]}` },
      });
    };

    it('each process knows at once what another one has recorded, and to which project it belongs', async () => {
      for (let time = 0; time < 12; time += 1) {
        const stream = time % 2 === 1;
        const { text } = await respond('web', { stream, input: `Question ${time}` });
        const id = /resp_\d+/.exec(text)?.[0] ?? expect.fail(text);
        const reply = await respond('web', { previous_response_id: id });
        expect(reply.status, reply.text).to.equal(200);
        expect(secretOf(upstream.calls.at(-1)!)).to.equal(vendor.held.get(id));
        expect((await respond('shop', { previous_response_id: id })).status).to.equal(400);
      }
      const served = gateways.flatMap((gateway) =>
        gateway
          .lines()
          .filter(({ message }) => message === 'exchange')
          .map((line) => `${gateway.pid}/${String(line['worker'])}`),
      );
      expect(new Set(served).size, 'the processes that served requests').to.equal(workers * hosts);
    });

    if (hasRedis)
      it('nothing that refers to a vendor passes while Redis is away, and the rest does', async () => {
        const id = /resp_\d+/.exec((await respond('web')).text)?.[0] ?? '';
        await redis?.kill();
        const refused = await respond('web', { previous_response_id: id });
        expect(refused.status).to.equal(503);
        expect((await respond('web')).status).to.equal(200);
      });
  });
}
