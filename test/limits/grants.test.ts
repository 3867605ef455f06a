import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { until } from '../support/until.ts';
import { startLimited, type Limited, type LimitedSettings } from './support/limited.ts';
import { startLoad, type Drop, type Load } from './support/load.ts';
import { tellRedis } from './support/redis-look.ts';
import { openStream } from './support/streams.ts';

const LEASE_MS = 5_000;
const PER_SECOND = 40;
const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';
const BACK = 'Redis is available again, and counts the limits';

const SPAN_MS = 200;
/** The limits of requests. */
const [FEW, MANY] = [400, 1_000];

describe('gateways that take parts of limits in advance', () => {
  let redis: RedisServer;
  let gateways: readonly Limited[] = [];
  let loads: readonly Load[] = [];
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  afterEach(async () => {
    redis.resume();
    await stop();
  });
  after(() => redis?.stop());
  const end = async (): Promise<void> => {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    gateways = [];
  };
  const limitsOf = (requests: number): readonly object[] => [
    { requests, per: '1h' },
    { tokens: 10_000_000, per: '1m' },
    { cost: 1_000, per: 'month' },
    { concurrent: 2_000 },
  ];
  const start = async (size: number, more: Partial<LimitedSettings> = {}): Promise<void> => {
    const settings = {
      keys: { alice: limitsOf(FEW), bob: limitsOf(MANY), carol: limitsOf(MANY) },
      redis: { url: redis.url, grants: 'on' },
      config: { lease: `${LEASE_MS}ms` },
      ...more,
    };
    gateways = await Promise.all(Array.from({ length: size }, () => startLimited(settings)));
  };
  const load = (key: string, count = gateways.length): void => {
    loads = gateways.slice(0, count).map((gateway) => startLoad(PER_SECOND, () => gateway.ask(key)));
  };
  const stop = async (): Promise<readonly Drop[]> => {
    const drops = (await Promise.all(loads.map((each) => each.stop()))).flat();
    loads = [];
    return drops;
  };
  /** Requests that were admitted, and not by a host that counted alone. */
  const admitted = (drops: readonly Drop[]): number =>
    drops.filter(({ reply, local }) => reply.status === 200 && !local).length;
  const leftOf = async (gateway: Limited, key: string, unit: string): Promise<number | undefined> =>
    (await gateway.left(key)).find((limit) => limit.unit === unit)?.remaining;
  const scripts = async (): Promise<number> => {
    const stats = String(await tellRedis(redis, 'INFO', 'commandstats'));
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };
  /** Requests until one is refused, when nothing is held any more. @returns how many were admitted */
  const useUp = async (gateway: Limited): Promise<number> => {
    for (let count = 0; ; count += 1) if ((await gateway.ask('alice')).status !== 200) return count;
  };

  describe('of which one ends, and one is killed', () => {
    before(() => start(3));
    after(end);

    it('admit exactly the limit together, with few calls of Redis, and return everything before they end', async () => {
      load('alice');
      const asked = (): number => loads.reduce((sum, each) => sum + each.asked(), 0);
      /** For each request. Without grants it makes two; reports, one of each gateway in a span, come on top. */
      const calls: number[] = [];
      for (const share of [0.2, 0.4, 0.6, 0.8]) {
        const [before, had, since] = [await scripts(), asked(), performance.now()];
        await until('a fifth is used', () => asked() > FEW * share);
        const reports = (3 * (performance.now() - since)) / SPAN_MS;
        calls.push(((await scripts()) - before - reports) / (asked() - had));
      }
      // After a pause of the machine there are more requests at once than grants.
      expect(Math.min(...calls), calls.join(', ')).to.be.below(1);
      const early = await stop();
      gateways[2]!.signal('SIGTERM');
      await gateways[2]!.exit;
      await until(
        'nothing is held',
        async () => (await leftOf(gateways[0]!, 'alice', 'requests')) === FEW - admitted(early),
      );
      await until('no place is held', async () => (await leftOf(gateways[0]!, 'alice', 'concurrent')) === 2_000);
      load('alice', 2);
      await delay(2_000);
      const late = await stop();
      // A refusal is repeated for a second.
      await delay(1_500);
      const last = await useUp(gateways[0]!);
      expect(admitted(early) + admitted(late) + last).to.equal(FEW);
    });

    it('a killed gateway returns its places and tokens when its lease ends', async () => {
      const [doomed, other] = gateways as readonly [Limited, Limited, Limited];
      load('carol', 2);
      await delay(1_000);
      const hanging = { messages: [{ role: 'user', content: 'Hi [[simulator hang=after:2]]' }] };
      const streams = Array.from({ length: 5 }, () => openStream(doomed.url, 'carol', hanging));
      await until('every stream', () => streams.every(({ text }) => text !== ''));
      const drops = await stop();
      await delay(LEASE_MS * 1.5);
      expect(await leftOf(other, 'carol', 'concurrent'), 'leases are renewed').to.equal(2_000 - 5);
      doomed.signal('SIGKILL');
      await until('its places are free', async () => {
        await other.ask('carol');
        return (await leftOf(other, 'carol', 'concurrent')) === 2_000;
      });
      const asked = MANY - ((await leftOf(other, 'carol', 'requests')) ?? 0) - admitted(drops);
      expect(asked, 'the streams, and what was asked since').to.be.at.least(6);
    });
  });

  describe('with a Redis that does not respond', () => {
    before(() => start(2, { redisTimeout: '200ms' }));
    after(end);

    it('count every request that they admitted while Redis was frozen, and count together again', async () => {
      load('bob');
      await delay(1_000);
      redis.pause();
      await until('Redis counts as away', () => gateways.every((gateway) => gateway.saying(GONE).length > 0));
      await delay(500);
      redis.resume();
      await until('Redis counts again', () => gateways.every((gateway) => gateway.saying(BACK).length > 0));
      await delay(500);
      const drops = await stop();
      expect(drops.filter(({ reply }) => ![200, 429].includes(reply.status))).to.deep.equal([]);
      await until(
        'what each has used is counted',
        async () => (await leftOf(gateways[0]!, 'bob', 'requests')) === MANY - admitted(drops),
      );
      await until('no place is held', async () => (await leftOf(gateways[0]!, 'bob', 'concurrent')) === 2_000);
    });
  });
});
