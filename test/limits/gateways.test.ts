import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { startLimited, type Limited, type LimitedSettings } from './support/limited.ts';
import { startLoad } from './support/load.ts';
import { tellRedis } from './support/redis-look.ts';

const REQUESTS = 50;
const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';
const variables = { NODE_OPTIONS: `--import ${new URL('support/blocked-loop.js', import.meta.url).href}` };
const LOOK_MS = 200;

describe('limits of several gateways on one Redis', () => {
  let redis: RedisServer;
  let gateways: readonly Limited[] = [];
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.stop());

  const start = async (count: number, more: Partial<LimitedSettings> = {}): Promise<void> => {
    const limits = [{ requests: REQUESTS, per: '1h' }];
    const one = (): Promise<Limited> =>
      startLimited({ keys: { alice: limits, bob: limits }, redis: redis.url, ...more });
    gateways = await Promise.all(Array.from({ length: count }, one));
  };
  const end = async (): Promise<void> => {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    gateways = [];
  };
  /** The calls of the script of heartbeats, by the only command that it alone sends. */
  const countBeats = async (): Promise<number> =>
    Number(/cmdstat_zcard:calls=(\d+)/.exec(String(await tellRedis(redis, 'INFO', 'commandstats')))?.[1]);
  const counted = async (): Promise<number> => Number(await tellRedis(redis, 'ZCARD', 'koine:{gateways}'));
  const untilCounted = (count: number): Promise<void> =>
    until(`${count} are counted`, async () => (await counted()) === count, LOOK_MS);

  /** @returns how many requests of a limit each admits while Redis is away */
  const admitAlone = async (key: string): Promise<readonly number[]> => {
    await untilCounted(gateways.length);
    // Each learns it with its own next heartbeat: after two more at each, all know.
    const beats = await countBeats();
    await until('all know each other', async () => (await countBeats()) >= beats + 2 * gateways.length, LOOK_MS);
    await redis.kill();
    const admitted: number[] = [];
    for (const gateway of gateways) {
      const replies = await Promise.all(Array.from({ length: REQUESTS }, () => gateway.ask(key)));
      admitted.push(replies.filter(({ status }) => status === 200).length);
    }
    await redis.restart();
    return admitted;
  };

  describe('three gateways of one process', () => {
    before(() => start(3, { variables }));
    after(end);

    it('a limit is exact over gateways whose event loops are late, because Redis is there', async () => {
      const loads = gateways.map((gateway) => startLoad(20, () => gateway.ask('alice')));
      for (let times = 0; times < 2; times += 1) {
        await delay(300);
        for (const gateway of gateways) gateway.signal('SIGUSR2');
        await delay(1_500);
      }
      const drops = (await Promise.all(loads.map((load) => load.stop()))).flat();
      expect(drops.filter(({ reply }) => reply.status === 200)).to.have.length(REQUESTS);
      expect(drops.filter(({ local }) => local)).to.deep.equal([]);
      expect(gateways.flatMap((gateway) => gateway.saying(GONE))).to.deep.equal([]);
    });

    it('gateways count themselves, and divide a limit while Redis is away', async () => {
      expect(await admitAlone('bob')).to.deep.equal([16, 16, 16]);
    });

    it('a gateway that ends is counted no more, and one that was killed some seconds later', async () => {
      await untilCounted(3);
      gateways[0]!.signal('SIGTERM');
      await gateways[0]!.exit;
      expect(await counted()).to.equal(2);
      gateways[1]!.signal('SIGKILL');
      await gateways[1]!.exit;
      await untilCounted(1);
    });
  });

  describe('two gateways of two workers', () => {
    before(async () => {
      await tellRedis(redis, 'FLUSHALL');
      await start(2, { workers: 2 });
    });
    after(end);

    it('gateways count themselves, not their workers, and divide a limit while Redis is away', async () => {
      expect(await admitAlone('alice')).to.deep.equal([25, 25]);
    });
  });
});
