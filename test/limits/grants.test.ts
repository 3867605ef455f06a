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

describe('gateways that take parts of limits in advance', () => {
  let redis: RedisServer;
  let gateways: readonly Limited[] = [];
  let loads: readonly Load[] = [];
  before(function () {
    requireRedis(this);
  });
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    redis.resume();
    await Promise.all(loads.map((load) => load.stop()));
    await Promise.all(gateways.map((gateway) => gateway.end()));
    await redis.stop();
    [gateways, loads] = [[], []];
  });
  const start = async (requests: number, size: number, more: Partial<LimitedSettings> = {}): Promise<void> => {
    const settings = {
      keys: {
        alice: [
          { requests, per: '1h' },
          { tokens: 10_000_000, per: '1m' },
          { cost: 1_000, per: 'month' },
          { concurrent: 2_000 },
        ],
      },
      redis: { url: redis.url, grants: 'on' },
      config: { lease: `${LEASE_MS}ms` },
      ...more,
    };
    gateways = await Promise.all(Array.from({ length: size }, () => startLimited(settings)));
  };
  const load = (): void => {
    loads = gateways.map((gateway) => startLoad(PER_SECOND, () => gateway.ask('alice')));
  };
  const stop = async (): Promise<readonly Drop[]> => {
    const drops = (await Promise.all(loads.map((each) => each.stop()))).flat();
    loads = [];
    return drops;
  };
  /** Requests that were admitted, and not by a host that counted alone. */
  const admitted = (drops: readonly Drop[]): number =>
    drops.filter(({ reply, local }) => reply.status === 200 && !local).length;
  const leftOf = async (gateway: Limited, unit: string): Promise<number | undefined> =>
    (await gateway.left('alice')).find((limit) => limit.unit === unit)?.remaining;
  const scripts = async (): Promise<number> => {
    const stats = String(await tellRedis(redis, 'INFO', 'commandstats'));
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };
  /** Requests until one is refused, when nothing is held any more. @returns how many were admitted */
  const useUp = async (gateway: Limited): Promise<number> => {
    for (let count = 0; ; count += 1) if ((await gateway.ask('alice')).status !== 200) return count;
  };

  it('admit exactly the limit together, with few calls of Redis, and return everything before they end', async () => {
    const requests = 400;
    await start(requests, 3);
    load();
    const asked = (): number => loads.reduce((sum, each) => sum + each.asked(), 0);
    /** For each request. Without grants it makes two; reports, one of each gateway in a span, come on top. */
    const calls: number[] = [];
    for (const share of [0.2, 0.4, 0.6, 0.8]) {
      const [before, had, since] = [await scripts(), asked(), performance.now()];
      await until('a fifth is used', () => asked() > requests * share);
      const reports = (3 * (performance.now() - since)) / SPAN_MS;
      calls.push(((await scripts()) - before - reports) / (asked() - had));
    }
    // After a pause of the machine there are more requests at once than grants.
    expect(Math.min(...calls), calls.join(', ')).to.be.below(1);
    const early = await stop();
    gateways[2]!.signal('SIGTERM');
    await gateways[2]!.exit;
    await until('nothing is held', async () => (await leftOf(gateways[0]!, 'requests')) === requests - admitted(early));
    await until('no place is held', async () => (await leftOf(gateways[0]!, 'concurrent')) === 2_000);
    loads = gateways.slice(0, 2).map((gateway) => startLoad(PER_SECOND, () => gateway.ask('alice')));
    await delay(2_000);
    const late = await stop();
    // A refusal is repeated for a second.
    await delay(1_500);
    const last = await useUp(gateways[0]!);
    expect(admitted(early) + admitted(late) + last).to.equal(requests);
  });

  it('count every request that they admitted while Redis was frozen, and count together again', async () => {
    const requests = 1_000;
    await start(requests, 2, { redisTimeout: '200ms' });
    load();
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
      async () => (await leftOf(gateways[0]!, 'requests')) === requests - admitted(drops),
    );
    await until('no place is held', async () => (await leftOf(gateways[0]!, 'concurrent')) === 2_000);
  });

  it('a killed gateway returns its places and tokens when its lease ends', async () => {
    await start(1_000, 2);
    const [doomed, other] = gateways as readonly [Limited, Limited];
    load();
    await delay(1_000);
    const hanging = { messages: [{ role: 'user', content: 'Hi [[simulator hang=after:2]]' }] };
    const streams = Array.from({ length: 5 }, () => openStream(doomed.url, 'alice', hanging));
    await until('every stream', () => streams.every(({ text }) => text !== ''));
    const drops = await stop();
    await delay(LEASE_MS * 1.5);
    expect(await leftOf(other, 'concurrent'), 'leases are renewed').to.equal(2_000 - 5);
    doomed.signal('SIGKILL');
    await until('its places are free', async () => {
      await other.ask('alice');
      return (await leftOf(other, 'concurrent')) === 2_000;
    });
    const asked = 1_000 - ((await leftOf(other, 'requests')) ?? 0) - admitted(drops);
    expect(asked, 'the streams, and what was asked since').to.be.at.least(6);
  });
});
