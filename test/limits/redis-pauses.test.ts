import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { startLimited, type Limited } from './support/limited.ts';
import { startLoad, type Drop } from './support/load.ts';

const PER_SECOND = 60;
const PAUSE_MS = 150;
const PAUSES = 5;
const REQUESTS = 40;
const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';

/** With the default settings, these pauses have no effect. */
describe('limits while Redis pauses for a moment', function () {
  let redis: RedisServer;
  let gateway: Limited | undefined;
  before(function () {
    requireRedis(this);
  });
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    redis.resume();
    await gateway?.end();
    await redis.stop();
    gateway = undefined;
  });

  const loadThroughPauses = async (onStoreFailure: 'deny' | 'local', requests: number): Promise<readonly Drop[]> => {
    gateway = await startLimited({
      keys: { alice: [{ requests, per: '1h' }, { concurrent: 1_000 }] },
      redis: redis.url,
      config: { onStoreFailure },
    });
    const { ask, exchanges } = gateway;
    const load = startLoad(PER_SECOND, () => ask('alice'));
    await until('some answers', () => exchanges().length > 10);
    for (let times = 0; times < PAUSES; times += 1) {
      redis.pause();
      await delay(PAUSE_MS);
      redis.resume();
      await delay(PAUSE_MS);
    }
    return load.stop();
  };
  const count = (drops: readonly Drop[], status: number): number =>
    drops.filter(({ reply }) => reply.status === status).length;

  it('pauses of Redis cause no 503, although limits deny during an outage', async () => {
    const drops = await loadThroughPauses('deny', 100_000);
    expect(drops.length).to.be.above(60);
    expect(count(drops, 200)).to.equal(drops.length);
    expect(gateway?.saying(GONE)).to.deep.equal([]);
  });

  it('pauses of Redis admit no request beyond the limit, although this host would count during an outage', async () => {
    const drops = await loadThroughPauses('local', REQUESTS);
    expect([count(drops, 200), count(drops, 429)]).to.deep.equal([REQUESTS, drops.length - REQUESTS]);
    expect(drops.filter(({ local }) => local)).to.deep.equal([]);
  });

  it('limits use Redis again at once after a long pause, without lost or stuck reservations', async () => {
    gateway = await startLimited({
      keys: { alice: [{ requests: 1_000, per: '1h' }, { concurrent: 1_000 }] },
      redis: redis.url,
      config: { onStoreFailure: 'local' },
    });
    const { ask, exchanges, saying, left, figure } = gateway;
    const load = startLoad(PER_SECOND, () => ask('alice'));
    await until('some answers', () => exchanges().length > 10);
    redis.pause();
    await until('it counts as away', () => saying(GONE).length > 0);
    redis.resume();
    await until('it is used again', async () => (await figure('koine_ratelimit_degraded')) === 0);
    await delay(300);
    const drops = await load.stop();
    expect(count(drops, 200)).to.equal(drops.length);
    expect(drops.at(-1)?.local).to.equal(false);
    await until('every settlement', () => exchanges().length === drops.length);
    const inRedis = drops.filter(({ local }) => !local).length;
    await until(
      'what Redis counts is what it admitted',
      async () => (await left('alice')).find(({ unit }) => unit === 'requests')?.remaining === 1_000 - inRedis,
    );
    await until(
      'no place is taken',
      async () => (await left('alice')).find(({ unit }) => unit === 'concurrent')?.remaining === 1_000,
    );
  });
});
