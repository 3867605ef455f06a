import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisClient } from '../../../../core/services/redis/client.ts';
import { openRedis, type RedisConnection } from '../../../../core/services/redis/redis.ts';
import type { RedisConfig } from '../../../../core/services/redis/redis-config.ts';
import { createRedisStore } from '../../../../plugins/rate-limit/store/redis-store.ts';
import type { Decision, LimitStore, ReserveRequest } from '../../../../plugins/rate-limit/store/store.ts';
import { request, window } from '../../../plugins/rate-limit/store/charges.ts';
import { isReplicated } from '../../../support/servers/redis-cluster.ts';
import { requireRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { PRIMARY, startRedisSentinels, type RedisSentinels } from '../../../support/servers/redis-sentinels.ts';
import { until } from '../../../support/until.ts';

const LIMIT = 100;
const PASSWORD = 'sentinel-secret';

const succeeds = (attempt: () => Promise<unknown>): Promise<boolean> =>
  attempt().then(
    () => true,
    () => false,
  );

describe('the connection through Sentinels', function suite() {
  this.timeout(90_000);
  let sentinels: RedisSentinels;
  const opened: RedisConnection[] = [];
  const logged: string[] = [];
  const note = (fields: object, text: string): void => void logged.push(JSON.stringify([fields, text]));
  const log = { info: note, warn: note, error: note };
  const open = (config: Partial<RedisConfig> = {}, name = PRIMARY, timeoutMs = 1_000): RedisConnection => {
    const secrets = { password: PASSWORD, ...config };
    const redis = openRedis(
      { sentinel: { hosts: sentinels.hosts, name, password: PASSWORD }, ...secrets },
      log,
      timeoutMs,
    );
    opened.push(redis);
    return redis;
  };
  const openReady = async (): Promise<RedisConnection> => {
    const redis = open();
    await until('the primary is connected', () => succeeds(() => redis.ping()));
    return redis;
  };
  const replicated = (primary: RedisServer): Promise<void> =>
    until('the replica has all of it', () => isReplicated({ port: primary.port, password: PASSWORD }), 50);
  /** Tries again what could not be sent: Sentinels disconnect the clients of a Redis that they promote or demote. */
  const reserve = async (store: LimitStore, wanted: ReserveRequest): Promise<Decision> => {
    for (const deadline = performance.now() + 20_000; ;) {
      try {
        return await store.reserve(wanted);
      } catch (error) {
        if (!String(error).includes("Stream isn't writeable") || performance.now() > deadline) throw error;
        await delay(50);
      }
    }
  };
  const admit = async (stores: readonly LimitStore[], tenant: string, count: number): Promise<number> => {
    const decisions = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        reserve(stores[index % stores.length]!, request([window('requests', LIMIT, 1, 3_600_000)], { tenant })),
      ),
    );
    return decisions.filter(({ admitted }) => admitted).length;
  };

  before(function check() {
    requireRedis(this);
  });
  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
    logged.length = 0;
  });
  const startSentinels = async (): Promise<void> => {
    sentinels = await startRedisSentinels(PASSWORD);
  };
  const stopSentinels = (): Promise<void> => sentinels.stop();

  describe('with Sentinels of its own', () => {
    beforeEach(startSentinels);
    afterEach(stopSentinels);

    const faults: readonly (readonly [string, (primary: RedisServer) => unknown, (primary: RedisServer) => unknown])[] =
      [
        ['killed', (primary) => primary.kill(), () => {}],
        ['frozen', (primary) => primary.pause(), (primary) => primary.resume()],
      ];
    for (const [what, strike, mend] of faults)
      it(`limits are exact after the primary was ${what} and its replica took over, with a Sentinel away`, async () => {
        const stores = [createRedisStore(await openReady()), createRedisStore(await openReady())];
        expect(await admit(stores, 'acme', 40)).to.equal(40);
        const primary = await sentinels.primary();
        await replicated(primary);
        await sentinels.killOne();
        await strike(primary);
        expect(await succeeds(async () => stores[0]!.peek('acme', []))).to.equal(false);
        for (const store of stores)
          await until('the replica has taken over', () => succeeds(async () => store.peek('acme', [])), 50);
        expect((await sentinels.primary()).port).to.not.equal(primary.port);
        expect(await admit(stores, 'acme', LIMIT)).to.equal(LIMIT - 40);
        await mend(primary);
        await delay(1_000);
        expect(await admit(stores, 'acme', 20)).to.equal(0);
        expect(await admit(stores, 'other', LIMIT + 20)).to.equal(LIMIT);
        expect(logged.join('\n')).to.not.include(PASSWORD);
      });
  });

  describe('with the same Sentinels', () => {
    before(startSentinels);
    after(stopSentinels);

    it('connects after it was disconnected while it asked a Sentinel', async () => {
      const redis = open();
      (redis.client as RedisClient).disconnect(true);
      await until('the primary is connected', () => succeeds(() => redis.ping()));
    });

    it('says what is wrong with the settings', async () => {
      const reports = async (redis: RedisConnection, text: string): Promise<void> => {
        await until(text, () => redis.problem?.includes(text) === true).catch(() => {
          throw new Error(`${text}: ${redis.problem}`);
        });
      };
      await reports(open({}, 'another'), 'check store.redis.sentinel.name');
      await reports(open({ password: 'wrong-secret' }), 'check username and password of store.redis');
      const { hosts } = sentinels;
      await reports(open({ sentinel: { hosts, name: PRIMARY } }), 'the Sentinels need store.redis.sentinel.password');
      await reports(
        open({ sentinel: { hosts, name: PRIMARY, password: 'wrong-secret' } }),
        'check username and password of store.redis.sentinel',
      );
      const primary = await sentinels.primary();
      await reports(
        open({ sentinel: { hosts: [`127.0.0.1:${primary.port}`], name: PRIMARY, password: PASSWORD } }),
        'this is not a Sentinel: check store.redis.sentinel.hosts',
      );
      expect(logged.join('\n')).to.not.match(/wrong-secret|sentinel-secret/);
    });

    it('leaves a primary that was replaced, although it responds again', async () => {
      const [idle, other] = [createRedisStore(await openReady()), createRedisStore(await openReady())];
      expect(await admit([idle, other], 'acme', 40)).to.equal(40);
      const old = await sentinels.primary();
      await replicated(old);
      old.pause();
      await until('another primary', async () => (await sentinels.primary()).port !== old.port, 50);
      await until('it is connected', () => succeeds(async () => other.peek('acme', [])), 50);
      expect(await admit([other], 'acme', LIMIT)).to.equal(LIMIT - 40);
      old.resume();
      await until('it responds', () => succeeds(async () => idle.peek('acme', [])));
      expect(await admit([idle], 'acme', 20)).to.equal(0);
    });
  });
});
