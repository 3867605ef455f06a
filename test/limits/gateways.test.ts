import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { startLimited, type Limited, type LimitedSettings } from './support/limited.ts';
import { startLoad } from './support/load.ts';
import { tellRedis } from './support/redis-look.ts';

const GATEWAYS = 3;
const REQUESTS = 50;
const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';
const variables = { NODE_OPTIONS: `--import ${new URL('support/blocked-loop.ts', import.meta.url).href}` };

describe('limits of several gateways on one Redis', () => {
  let redis: RedisServer;
  let gateways: readonly Limited[] = [];
  before(function () {
    requireRedis(this);
  });
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    await redis.stop();
  });
  const start = async (more: Partial<LimitedSettings> = {}): Promise<void> => {
    const one = (): Promise<Limited> =>
      startLimited({
        keys: { alice: [{ requests: REQUESTS, per: '1h' }] },
        redis: redis.url,
        ...more,
      });
    gateways = await Promise.all(Array.from({ length: GATEWAYS }, one));
  };
  /** The calls of the script of heartbeats, by the only command that it alone sends. */
  const countBeats = async (): Promise<number> =>
    Number(/cmdstat_zcard:calls=(\d+)/.exec(String(await tellRedis(redis, 'INFO', 'commandstats')))?.[1]);
  const counted = async (): Promise<number> => Number(await tellRedis(redis, 'ZCARD', 'koine:{gateways}'));

  for (const workers of [1, 2]) {
    it(`gateways count themselves, and divide a limit while Redis is away: ${workers} workers each`, async () => {
      await start({ workers });
      await until('each is counted', async () => (await counted()) === GATEWAYS);
      // Each learns it with its own next heartbeat: after two more at each, all know.
      const beats = await countBeats();
      await until('all know each other', async () => (await countBeats()) >= beats + 2 * GATEWAYS, 100);
      await redis.kill();
      const admitted: number[] = [];
      for (const gateway of gateways) {
        const replies = await Promise.all(Array.from({ length: REQUESTS }, () => gateway.ask('alice')));
        admitted.push(replies.filter(({ status }) => status === 200).length);
      }
      expect(admitted).to.deep.equal(Array.from({ length: GATEWAYS }, () => Math.floor(REQUESTS / GATEWAYS)));
    });
  }

  it('a gateway that ends is counted no more, and one that was killed some seconds later', async () => {
    await start();
    await until('each is counted', async () => (await counted()) === GATEWAYS);
    gateways[0]!.signal('SIGTERM');
    await gateways[0]!.exit;
    expect(await counted()).to.equal(GATEWAYS - 1);
    gateways[1]!.signal('SIGKILL');
    await gateways[1]!.exit;
    await until('it is silent', async () => (await counted()) === GATEWAYS - 2);
  });

  it('a limit is exact over gateways whose event loops are late, because Redis is there', async () => {
    await start({ variables });
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
});
