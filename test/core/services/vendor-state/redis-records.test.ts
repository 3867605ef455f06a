import { expect } from 'chai';
import type { Redis as Client } from 'ioredis';
import { openRedis, type RedisConnection } from '../../../../core/services/redis/redis.ts';
import { createRedisRecords } from '../../../../core/services/vendor-state/redis-records.ts';
import { digestId, digestOwner, KEEP_MS } from '../../../../core/services/vendor-state/records.ts';
import { createTestLog } from '../../../../core/testing/index.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { until } from '../../../support/until.ts';

describe('records of stored objects in Redis', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  before(async function () {
    requireRedis(this);
    server = await startRedis();
    redis = openRedis(server.url, createTestLog(), 10_000);
    await until('Redis responds', () =>
      redis.ping().then(
        () => true,
        () => false,
      ),
    );
  });
  after(async () => {
    await redis?.close();
    await server?.stop();
  });
  const web = digestOwner({ organization: 'acme', project: 'web' });
  const shop = digestOwner({ organization: 'acme', project: 'shop' });

  it('finds what was added, in the order of the digests', async () => {
    const records = createRedisRecords(redis);
    const record = { owner: web, provider: 'a "quoted" [name]\n', credential: 'key-1' };
    await records.add(['one', 'two'], record);
    expect(await records.find(['none', 'two', 'one'])).to.deep.equal([null, record, record]);
  });

  it('the first project keeps its record', async () => {
    const records = createRedisRecords(redis);
    const record = { owner: web, provider: 'openai', credential: 'key-1' };
    await records.add(['kept'], record);
    await records.add(['kept'], { ...record, owner: shop, credential: 'key-2' });
    expect(await records.find(['kept'])).to.deep.equal([record]);
    await records.add(['kept'], { ...record, credential: 'key-2' });
    expect(await records.find(['kept'])).to.deep.equal([{ ...record, credential: 'key-2' }]);
  });

  it('each record has a time to live, and neither id nor project in plain text', async () => {
    const records = createRedisRecords(redis);
    const client = redis.client as Client;
    const digest = digestId('resp_secret');
    await records.add([digest], { owner: web, provider: 'openai', credential: 'key-1' });
    const left = await client.pttl(`koine:state:${digest}`);
    expect(left)
      .to.be.at.most(KEEP_MS)
      .and.greaterThan(KEEP_MS - 3_600_000);
    const value = await client.get(`koine:state:${digest}`);
    expect(`${digest} ${value}`).to.not.match(/resp_secret|acme|web/);
  });
});
