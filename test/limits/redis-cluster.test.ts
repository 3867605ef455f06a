import { expect } from 'chai';
import { tenantRoot } from '../../plugins/rate-limit/store/redis-store.ts';
import { requireRedis } from '../support/servers/redis.ts';
import { isReplicated, startRedisCluster, type RedisClusterServer } from '../support/servers/redis-cluster.ts';
import { until } from '../support/until.ts';
import { startLimited, type Limited } from './support/limited.ts';

const LIMIT = 60;
const BACK = 'Redis is available again, and counts the limits';

describe('two gateways on a Redis Cluster', function suite() {
  this.timeout(120_000);
  let cluster: RedisClusterServer;
  const gateways: Limited[] = [];

  before(async function start() {
    requireRedis(this);
    cluster = await startRedisCluster();
    const keys = Object.fromEntries(['alice', 'bob', 'carol'].map((name) => [name, [{ requests: LIMIT, per: '1h' }]]));
    for (let count = 0; count < 2; count += 1)
      gateways.push(await startLimited({ keys, redis: { cluster: cluster.hosts.slice(0, 3) }, redisTimeout: '2s' }));
  });
  after(async () => {
    for (const gateway of gateways) await gateway.end();
    await cluster?.stop();
  });

  /** Requests of one key to both gateways at once. @returns how many got each status, by who counted them */
  const ask = async (key: string, count: number): Promise<Readonly<Record<string, number>>> => {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, index) => gateways[index % gateways.length]!.ask(key)),
    );
    const seen: Record<string, number> = {};
    for (const { status, headers } of replies) {
      const name = `${status} ${headers['x-koine-ratelimit-mode'] ?? 'redis'}`;
      seen[name] = (seen[name] ?? 0) + 1;
    }
    return seen;
  };

  it('count together, also after the master of their organization was killed', async () => {
    expect(await ask('alice', LIMIT + 20)).to.deep.equal({ '200 redis': LIMIT, '429 redis': 20 });
    const master = await cluster.masterOf(tenantRoot('acme'));
    await until('the replica has everything', () => isReplicated(master));
    await master.kill();
    await until(
      'the gateways count alone, and then together again',
      async () => {
        await ask('bob', 4);
        return gateways.every((gateway) => gateway.saying(BACK).length > 0);
      },
      100,
    );
    expect(await ask('carol', LIMIT + 20)).to.deep.equal({ '200 redis': LIMIT, '429 redis': 20 });
    expect(await ask('alice', 10)).to.deep.equal({ '429 redis': 10 });
  });
});
