import { expect } from 'chai';
import type { OutgoingHttpHeaders } from 'node:http';
import { omitUndefined } from '../../../core/api/codec.ts';
import type { Clock } from '../../../core/api/index.ts';
import { systemClock } from '../../../core/services/clock.ts';
import { builtIns, KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { send } from '../../support/http.ts';
import { requireRedis, startRedis, type RedisServer } from '../../support/servers/redis.ts';
import { until } from '../../support/until.ts';

const LIMIT = 3;
const OTHER = 'another-good-key-0123456789';
const organizations = { acme: { projects: { web: { keys: { alice: { key: KEY }, bob: { key: OTHER } } } } } };
const start = (settings: object = {}, clock?: Clock): Promise<TestGateway> =>
  startTestGateway(
    {
      organizations,
      plugins: [{ use: 'auth', config: { failures: { limit: LIMIT, per: '1h', block: '1h' } } }],
      ...settings,
    },
    builtIns,
    clock,
  );

const ask = async ({ url }: TestGateway, key: string, forwarded?: string): Promise<number> => {
  const headers = omitUndefined<OutgoingHttpHeaders>({
    authorization: `Bearer ${key}`,
    'x-forwarded-for': forwarded,
  });
  return (await send(url, { method: 'GET', path: '/v1/models', headers })).status;
};
/** One after the other. */
const askAll = async (
  gateway: TestGateway,
  keys: readonly string[],
  forwarded: (index: number) => string | undefined = () => undefined,
): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (const [index, key] of keys.entries()) statuses.push(await ask(gateway, key, forwarded(index)));
  return statuses;
};
const wrong: readonly string[] = Array.from({ length: LIMIT }, (_, index) => `wrong-${index}`);
const unknown: readonly number[] = wrong.map(() => 401);

describe('throttling of addresses that guess keys', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());

  it('wrong keys from a guessing address get 429, good keys of its neighbours still work', async () => {
    gateway = await start();
    expect(await askAll(gateway, [...wrong, KEY, 'wrong', OTHER, 'wrong'])).to.deep.equal([
      ...unknown,
      200,
      429,
      200,
      429,
    ]);
  });

  it('a forwarded header does not change the address when no proxy is trusted', async () => {
    gateway = await start();
    const statuses = await askAll(gateway, [...wrong, 'wrong'], (index) => `203.0.113.${index}`);
    expect(statuses).to.deep.equal([...unknown, 429]);
    expect(await ask(gateway, 'wrong', '198.51.100.1')).to.equal(429);
  });

  it('behind a trusted proxy only the last forwarded address counts', async () => {
    gateway = await start({ server: { trustProxy: ['127.0.0.1'] } });
    expect(await askAll(gateway, [...wrong, 'wrong'], (index) => `198.51.100.${index}, 203.0.113.7`)).to.deep.equal([
      ...unknown,
      429,
    ]);
    expect(await ask(gateway, 'wrong', '203.0.113.7, 203.0.113.8')).to.equal(401);
    expect(await ask(gateway, 'wrong', '203.0.113.7')).to.equal(429);
  });

  it('an IPv6 client is throttled with its whole network', async () => {
    gateway = await start({ server: { trustProxy: ['127.0.0.1'] } });
    expect(await askAll(gateway, [...wrong, 'wrong'], (index) => `2001:db8:1:2::${index}`)).to.deep.equal([
      ...unknown,
      429,
    ]);
    expect(await ask(gateway, 'wrong', '2001:db8:1:3::1')).to.equal(401);
  });

  it('throttled requests are logged as refused by a limit', async () => {
    gateway = await start();
    await askAll(gateway, wrong);
    expect(
      (
        await send(gateway.url, {
          path: '/v1/chat/completions',
          headers: { authorization: 'Bearer wrong' },
          body: '{}',
        })
      ).status,
    ).to.equal(429);
    await gateway.settled(1);
    expect(gateway.exchanges()[0]).to.include({ outcome: 'rate_limited', status: 429, client_ip: '127.0.0.1' });
    expect(JSON.stringify(gateway.lines)).to.not.include('wrong-');
  });

  it('a throttled address is accepted again after its time is over', async () => {
    let passed = 0;
    const clock = { now: () => systemClock.now() + passed, monotonic: () => systemClock.monotonic() + passed };
    gateway = await start({ plugins: [{ use: 'auth', config: { failures: { limit: 1, block: '1m' } } }] }, clock);
    expect(await askAll(gateway, ['wrong', 'wrong'])).to.deep.equal([401, 429]);
    passed = 60_000;
    expect(await ask(gateway, 'wrong')).to.equal(401);
  });
});

describe('throttling of addresses by two gateways with one Redis', () => {
  let redis: RedisServer;
  let gateways: readonly TestGateway[] = [];
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
    gateways = await Promise.all([
      start({ store: { database: 'sqlite::memory:', redis: redis.url } }),
      start({ store: { database: 'sqlite::memory:', redis: redis.url } }),
    ]);
  });
  after(async () => {
    for (const gateway of gateways) await gateway.stop();
    await redis?.stop();
  });

  it('the second gateway applies a block of the first at the next wrong key', async () => {
    const [one, two] = gateways as readonly [TestGateway, TestGateway];
    await until('both are connected', () =>
      gateways.every(({ lines }) => lines.some(({ text }) => text === 'connected to Redis')),
    );
    expect(await askAll(one, wrong)).to.deep.equal(unknown);
    await until('the first blocks', () => one.lines.some(({ text }) => text.includes('blocking it')));
    expect(await ask(one, 'wrong')).to.equal(429);
    expect(await ask(two, 'wrong')).to.equal(401);
    await until('the second blocks', () => two.lines.some(({ text }) => text.includes('blocking it')));
    expect(await askAll(two, ['wrong', OTHER])).to.deep.equal([429, 200]);
  });
});
