import { expect } from 'chai';
import { startKoine, type KoineProcess } from '../../processes/koine-process.ts';
import { goodHeaders, send, type HttpReply } from '../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { until } from '../../support/until.ts';

const MODEL = 'simulator/talk';
const KEY = 'web-key-0123456789abcdef';

for (const { title, workers, hosts, hasRedis } of [
  { title: 'two workers', workers: 2, hosts: 1, hasRedis: false },
  { title: 'two hosts with Redis', workers: 1, hosts: 2, hasRedis: true },
]) {
  describe(`items of translated responses, and ${title}`, () => {
    let redis: RedisServer | undefined;
    let gateways: readonly KoineProcess[] = [];
    before(async function () {
      if (hasRedis) requireRedis(this);
      redis = hasRedis ? await startRedis() : undefined;
      const settings = {
        server: { workers },
        store: {
          database: 'sqlite:./koine.db',
          ...(redis === undefined ? {} : { redis: redis.url, redisTimeout: '10s' }),
        },
        organizations: { acme: { projects: { web: { keys: { web: { key: KEY } } } } } },
        providers: { simulator: { use: 'simulator' } },
        models: {
          [MODEL]: { wires: ['responses'], targets: [{ provider: 'simulator', model: 'chat', wire: 'messages' }] },
        },
        plugins: [{ use: 'auth' }],
      };
      gateways = await Promise.all(Array.from({ length: hosts }, () => startKoine(settings)));
    });
    after(async () => {
      await Promise.all(gateways.map((gateway) => gateway.end()));
      await redis?.stop();
    });

    let sent = 0;
    const respond = (more: Readonly<Record<string, unknown>>): Promise<HttpReply> => {
      sent += 1;
      return send(gateways[sent % hosts]?.url ?? '', {
        path: '/v1/responses',
        headers: { ...goodHeaders, authorization: `Bearer ${KEY}` },
        body: JSON.stringify({ model: MODEL, input: `Question ${sent}`, ...more }),
      });
    };

    /** Each request refers to the response of the one before. @returns the last reply, or the first refusal */
    const converse = async (times: number): Promise<HttpReply> => {
      let reply = await respond({});
      for (let time = 1; time < times && reply.status === 200; time += 1)
        reply = await respond({ previous_response_id: (JSON.parse(reply.text) as { id: string }).id });
      return reply;
    };

    it('each process knows what another one has kept', async () => {
      // A start waits half a second for Redis.
      await until('every host keeps items', async () => (await converse(hosts + 1)).status === 200);
      const { status, text } = await converse(12);
      expect(status, text).to.equal(200);
    });
  });
}
