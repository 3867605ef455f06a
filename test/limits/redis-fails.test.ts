import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpReply } from '../support/http.ts';
import { until } from '../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startLimited, type Limited } from './support/limited.ts';
import { startLoad, type Drop, type Load } from './support/load.ts';
import { startProxy } from './support/proxy.ts';
import { lookIntoRedis, tellRedis } from './support/redis-look.ts';

const REQUESTS = 40;
const PER_SECOND = 40;
/** A time-out that suffices on a busy machine. */
const redisTimeout = '500ms';
const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';
const BACK = 'Redis is available again, and counts the limits';

interface Fault {
  readonly title: string;
  strike(redis: RedisServer): unknown;
  mend(redis: RedisServer): unknown;
  /** The counts are lost with it. */
  readonly forgets?: boolean;
}
const faults: readonly Fault[] = [
  { title: 'is frozen', strike: (redis) => redis.pause(), mend: (redis) => redis.resume() },
  {
    title: 'is killed and comes back empty',
    strike: (redis) => redis.kill(),
    mend: (redis) => redis.restart(),
    forgets: true,
  },
  {
    title: 'becomes a replica that takes no writes',
    strike: (redis) => tellRedis(redis, 'REPLICAOF', '127.0.0.1', '9'),
    mend: (redis) => tellRedis(redis, 'REPLICAOF', 'NO', 'ONE'),
  },
  {
    title: 'is full',
    strike: (redis) => tellRedis(redis, 'CONFIG', 'SET', 'maxmemory', '1mb'),
    mend: (redis) => tellRedis(redis, 'CONFIG', 'SET', 'maxmemory', '0'),
  },
];

const limits = [
  { requests: REQUESTS, per: '1h' },
  { tokens: 1_000_000, per: '1h' },
  { requests: 10_000, per: '2h', burst: 10_000 },
  { cost: 100, per: 'month' },
  { concurrent: 1_000 },
];
/** Each test that shares the gateway spends the limits of its own. */
const names = Array.from({ length: faults.length + 1 }, (_, index) => `key-${index}`);
const keys = Object.fromEntries(names.map((name) => [name, limits]));

const counted = (drops: readonly Drop[], local: boolean): number =>
  drops.filter((drop) => drop.reply.status === 200 && drop.local === local).length;
const statusesOf = (drops: readonly Drop[]): readonly number[] =>
  [...new Set(drops.map(({ reply }) => reply.status))].toSorted((a, b) => a - b);

describe('limits while Redis fails', () => {
  let redis: RedisServer;
  let shared: Limited;
  let load: Load | undefined;
  const start = (url = redis.url): Promise<Limited> => startLimited({ keys, redis: url, redisTimeout });
  before(async function () {
    requireRedis(this);
    redis = await startRedis('--maxmemory-policy', 'noeviction');
    shared = await start();
  });
  afterEach(async () => {
    redis.resume();
    await load?.stop();
    load = undefined;
  });
  after(async () => {
    await shared?.end();
    await redis?.stop();
  });

  for (const [index, { title, strike, mend, forgets = false }] of faults.entries()) {
    it(`this host counts limits when Redis ${title}, without errors or long waits, and Redis does afterwards`, async () => {
      const { figure, left, saying, exchanges } = shared;
      const key = names[index]!;
      const ask = (): Promise<HttpReply> => shared.ask(key);
      const leftOf = async (unit: string): Promise<number> =>
        (await left(key)).find((limit) => limit.unit === unit)?.remaining ?? Number.NaN;
      const [had, gone, back] = [exchanges().length, saying(GONE).length, saying(BACK).length];
      const settled = (count: number): Promise<void> =>
        until('every settlement', () => exchanges().length === had + count);
      expect(await figure('koine_ratelimit_degraded')).to.equal(0);
      load = startLoad(PER_SECOND, ask);
      await until('some answers', () => exchanges().length > had + 5);
      await strike(redis);
      await until(GONE, () => saying(GONE).length > gone);
      expect(await figure('koine_ratelimit_degraded')).to.equal(1);
      // The requests that waited for Redis were decided without it.
      await load.caughtUp();
      const refusals = await figure('koine_ratelimit_store_errors_total', { op: 'reserve' });
      await delay(1_500);
      expect(await figure('koine_ratelimit_store_errors_total', { op: 'reserve' }), 'it is asked no more').to.equal(
        refusals,
      );
      const whileGone = await ask();
      expect([whileGone.status, whileGone.headers['x-koine-ratelimit-mode']]).to.deep.equal([429, 'local']);
      await mend(redis);
      await until(BACK, () => saying(BACK).length > back);
      await delay(300);
      const drops = await load.stop();
      load = undefined;

      expect(statusesOf(drops)).to.deep.equal([200, 429]);
      expect(counted(drops, true)).to.equal(REQUESTS);
      expect(counted(drops, false)).to.be.within(1, forgets ? 2 * REQUESTS : REQUESTS);
      expect([saying(GONE).length - gone, saying(BACK).length - back]).to.deep.equal([1, 1]);
      expect(await figure('koine_ratelimit_degraded')).to.equal(0);

      await settled(drops.length + 1);
      const after = await ask();
      expect(after.headers).to.not.have.property('x-koine-ratelimit-mode');
      await settled(drops.length + 2);
      const { open, counts } = await lookIntoRedis(redis);
      expect(open).to.deep.equal([]);
      expect([...counts].filter(([, count]) => count < 0)).to.deep.equal([]);
      expect(await leftOf('concurrent')).to.equal(1_000);
      // A reservation whose reply was lost was given back: Redis counts exactly what it admitted.
      const admitted = counted(drops, false) + (after.status === 200 ? 1 : 0);
      if (!forgets) expect(await leftOf('requests')).to.equal(REQUESTS - admitted);
      else expect(await leftOf('requests')).to.be.within(0, REQUESTS);
    });
  }

  it('limits are not affected when Redis loses its scripts', async () => {
    const { ask, saying, exchanges } = shared;
    const [had, gone] = [exchanges().length, saying(GONE).length];
    load = startLoad(PER_SECOND, () => ask(names.at(-1)!));
    for (let times = 1; times <= 5; times += 1) {
      await until('some more answers', () => exchanges().length > had + times * 8);
      await tellRedis(redis, 'SCRIPT', 'FLUSH');
    }
    const drops = await load.stop();
    load = undefined;
    expect(statusesOf(drops)).to.deep.equal([200, 429]);
    expect([counted(drops, false), counted(drops, true), saying(GONE).length - gone]).to.deep.equal([REQUESTS, 0, 0]);
  });

  it('limits are exact when Redis is 50 ms away', async () => {
    const proxy = await startProxy(redis.port, 25);
    await tellRedis(redis, 'FLUSHALL');
    const far = await start(proxy.url);
    try {
      load = startLoad(PER_SECOND, () => far.ask(names[0]!));
      await delay(1_500);
      const drops = await load.stop();
      load = undefined;
      expect(statusesOf(drops)).to.deep.equal([200, 429]);
      // A limit that has just refused refuses again without a call to Redis.
      expect(Math.min(...drops.flatMap(({ reply, ms }) => (reply.status === 200 ? [ms] : [])))).to.be.above(45);
      expect([counted(drops, false), counted(drops, true), far.saying(GONE).length]).to.deep.equal([REQUESTS, 0, 0]);
    } finally {
      await load?.stop();
      load = undefined;
      await far.end();
      await proxy.stop();
    }
  });

  it('this host counts limits when Redis is not there at startup, and Redis does once it is', async () => {
    await redis.kill();
    const { ask, figure, saying, end } = await start();
    try {
      expect(await figure('koine_ratelimit_degraded')).to.equal(1);
      const replies = await Promise.all(Array.from({ length: REQUESTS + 10 }, () => ask(names[0]!)));
      expect(replies.filter(({ status }) => status === 200)).to.have.length(REQUESTS);
      expect(new Set(replies.map(({ headers }) => headers['x-koine-ratelimit-mode']))).to.deep.equal(
        new Set(['local']),
      );
      await redis.restart();
      await until(BACK, () => saying(BACK).length > 0);
      const { status, headers } = await ask(names[0]!);
      expect([status, headers['x-koine-ratelimit-mode']]).to.deep.equal([200, undefined]);
      expect([saying(GONE).length, saying(BACK).length, await figure('koine_ratelimit_degraded')]).to.deep.equal([
        1, 1, 0,
      ]);
    } finally {
      await end();
    }
  });
});
