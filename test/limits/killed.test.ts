import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { bodyOf, startLimited, type Limited } from './support/limited.ts';
import { tellRedis } from './support/redis-look.ts';
import { openStream, type ClientStream } from './support/streams.ts';

const LEASE_MS = 5_000;
const TOKENS = 10_000;
const hanging = { messages: [{ role: 'user', content: 'Hi [[simulator hang=after:2]]' }] };
const RESERVED = Math.ceil(bodyOf({ stream: true, ...hanging }).length / 4) + 50;
const begun = (streams: readonly ClientStream[]): Promise<void> =>
  until('every stream', () => streams.every(({ text }) => text !== ''));
const leftOf = async (gateway: Limited, unit: string): Promise<number | undefined> =>
  (await gateway.left('alice')).find((limit) => limit.unit === unit)?.remaining;

describe('the reservations of a killed gateway', () => {
  let redis: RedisServer;
  before(async function () {
    requireRedis(this);
    redis = await startRedis();
  });
  after(() => redis?.stop());

  it('a place of `concurrent` is leased for 15 s at a time, and renewed while its response runs', async () => {
    const gateway = await startLimited({ keys: { alice: [{ concurrent: 2 }] }, redis: redis.url });
    try {
      const stream = openStream(gateway.url, 'alice', hanging);
      await begun([stream]);
      const leftMs = async (): Promise<number> => {
        const [key] = (await tellRedis(redis, 'KEYS', '*;concurrent;*')) as readonly string[];
        const [id] = (await tellRedis(redis, 'ZRANGE', key ?? '', '0', '-1')) as readonly string[];
        return Number(await tellRedis(redis, 'ZSCORE', key ?? '', id ?? '')) - Date.now();
      };
      expect(await leftMs()).to.be.within(1, 15_000);
      // Without a renewal it has ended by then.
      await delay(16_000);
      expect(await leftMs()).to.be.within(1, 15_000);
    } finally {
      await gateway.end();
      await tellRedis(redis, 'FLUSHALL');
    }
  });

  it('reservations of a killed gateway stay in Redis until their lease expires, and another gateway admits again', async () => {
    const settings = {
      keys: { alice: [{ concurrent: 2 }, { tokens: TOKENS, per: '1h' }, { requests: 100, per: '1h' }] },
      redis: redis.url,
      config: { lease: `${LEASE_MS}ms` },
    };
    const [doomed, other] = await Promise.all([startLimited(settings), startLimited(settings)]);
    try {
      await begun([openStream(doomed.url, 'alice', hanging), openStream(doomed.url, 'alice', hanging)]);
      await delay(LEASE_MS * 1.5);
      expect((await other.ask('alice')).headers['x-koine-limit']).to.equal('key;concurrent');
      expect([await leftOf(other, 'tokens'), await leftOf(other, 'concurrent')]).to.deep.equal([
        TOKENS - 2 * RESERVED,
        0,
      ]);

      doomed.signal('SIGKILL');
      let reply = await other.ask('alice');
      await until(
        'a free place',
        async () => reply.status === 200 || (reply = await other.ask('alice')).status === 200,
        50,
      );
      await until('its settlement', () =>
        other.exchanges().some(({ request_id }) => request_id === reply.headers['x-request-id']),
      );
      const { tokens_in, tokens_out } = other.exchanges().find(({ status }) => status === 200)!;
      expect([await leftOf(other, 'tokens'), await leftOf(other, 'concurrent')]).to.deep.equal([
        TOKENS - Number(tokens_in) - Number(tokens_out),
        2,
      ]);
      // The requests themselves stay counted.
      expect(await leftOf(other, 'requests')).to.equal(100 - 3);
    } finally {
      await Promise.all([doomed.end(), other.end()]);
    }
  });
});

describe('the reservations of a killed worker', () => {
  /** So many that the kernel gives some to each of two workers. */
  const STREAMS = 16;

  it('reservations of a killed worker are released at once, without those of other workers', async () => {
    const gateway = await startLimited({
      workers: 2,
      keys: { alice: [{ concurrent: STREAMS }, { tokens: TOKENS, per: '1h' }] },
    });
    try {
      const streams = Array.from({ length: STREAMS }, () => openStream(gateway.url, 'alice', hanging));
      await begun(streams);
      expect([await leftOf(gateway, 'tokens'), await leftOf(gateway, 'concurrent')]).to.deep.equal([
        TOKENS - STREAMS * RESERVED,
        0,
      ]);
      gateway.kill(gateway.workers()[0]!);
      await until('another in its place', () => gateway.workers().length === 3);
      const lost = streams.filter(({ over }) => over).length;
      expect(lost).to.be.within(1, STREAMS - 1);
      expect([await leftOf(gateway, 'tokens'), await leftOf(gateway, 'concurrent')]).to.deep.equal([
        TOKENS - (STREAMS - lost) * RESERVED,
        lost,
      ]);
    } finally {
      await gateway.end();
    }
  });
});
