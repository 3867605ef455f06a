import { expect } from 'chai';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { requirePostgres, startPostgres } from '../support/servers/postgres.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { startLimited, VENDOR, type Limited, type LimitedSettings } from './support/limited.ts';
import { tellRedis } from './support/redis-look.ts';
import { answerPlain } from './support/vendor.ts';

const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';
const REPLAYED = 'the ledger is written again, including all rows that waited';
const BACK = 'Redis is available again, and counts the limits';
/** The cost of every response: 10,000 tokens at a micro-dollar. */
const ANSWER_USD = 0.01;

interface Fault {
  readonly title: string;
  strike(redis: RedisServer): unknown;
  mend(redis: RedisServer): unknown;
}
const faults: readonly Fault[] = [
  { title: 'frozen', strike: (redis) => redis.pause(), mend: (redis) => redis.resume() },
  { title: 'killed, and comes back empty', strike: (redis) => redis.kill(), mend: (redis) => redis.restart() },
  {
    title: 'a replica that takes no writes',
    strike: (redis) => tellRedis(redis, 'REPLICAOF', '127.0.0.1', '9'),
    mend: (redis) => tellRedis(redis, 'REPLICAOF', 'NO', 'ONE'),
  },
  {
    title: 'full',
    strike: (redis) => tellRedis(redis, 'CONFIG', 'SET', 'maxmemory', '1mb'),
    mend: (redis) => tellRedis(redis, 'CONFIG', 'SET', 'maxmemory', '0'),
  },
];

describe('budgets after a fault of the stores', () => {
  let upstream: TestUpstream;
  let redis: RedisServer;
  let folder: ReturnType<typeof createTemporaryFolder>;
  let gateways: Limited[];
  let held: (() => void)[];
  let isHeld: boolean;
  before(function () {
    requireRedis(this);
  });
  beforeEach(async () => {
    [folder, gateways, held, isHeld] = [createTemporaryFolder(), [], [], false];
    upstream = await startUpstream();
    upstream.answer = (response) => {
      const answer = (): void => answerPlain(response, { input: 9_990, output: 10 });
      if (isHeld) held.push(answer);
      else answer();
    };
    redis = await startRedis();
  });
  afterEach(async () => {
    redis.resume();
    for (const gateway of gateways) await gateway.end();
    await upstream.stop();
    await redis.stop();
    folder.remove();
  });

  const start = async (more: Partial<LimitedSettings> = {}): Promise<Limited> => {
    const gateway = await startLimited({
      keys: { alice: [] },
      organization: [{ cost: 0.5, per: 'month' }],
      vendor: upstream.url,
      redis: redis.url,
      redisTimeout: '300ms',
      database: `sqlite:${join(folder.path, 'koine.db')}`,
      ...more,
    });
    gateways.push(gateway);
    return gateway;
  };
  /** Asks one after another. @returns how many were admitted */
  const ask = async (gateway: Limited, count: number): Promise<number> => {
    let admitted = 0;
    for (let index = 0; index < count; index += 1)
      if ((await gateway.ask('alice', { model: VENDOR })).status === 200) admitted += 1;
    return admitted;
  };
  /** USD of every row of the ledger. */
  const bookedOf = (): number => {
    const database = new DatabaseSync(join(folder.path, 'koine.db'), { timeout: 20_000 });
    const cost = database.prepare('SELECT sum(cost) AS cost FROM ledger').get()?.['cost'];
    database.close();
    return Number(cost ?? 0) / 1e9;
  };
  const spentOf = async (gateway: Limited): Promise<number> =>
    (await gateway.left('alice', VENDOR)).find(({ unit }) => unit === 'cost')?.spent ?? 0;
  const agree = async (gateway: Limited, answers: number): Promise<void> => {
    await until(`the ledger has ${answers} answers`, () => Math.abs(bookedOf() - answers * ANSWER_USD) < 1e-9);
    await until(
      `the budget has spent what the ledger has, ${answers * ANSWER_USD}`,
      async () => Math.abs((await spentOf(gateway)) - answers * ANSWER_USD) < 1e-9,
    );
  };
  const strike = async (fault: Fault, gateway: Limited): Promise<void> => {
    const before = gateway.saying(GONE).length;
    await fault.strike(redis);
    // Five failures in a row are an outage. What they admit counts as well.
    await Promise.all(Array.from({ length: 6 }, () => gateway.ask('alice', { model: VENDOR, max_tokens: 1 })));
    await until('Redis counts as away', () => gateway.saying(GONE).length > before);
  };
  const mend = async (fault: Fault, gateway: Limited): Promise<void> => {
    const before = gateway.saying(BACK).length;
    await fault.mend(redis);
    await until('Redis is used again', () => gateway.saying(BACK).length > before);
  };

  it('a gateway that Redis has only refused knows in an outage that the budget is spent', async () => {
    expect(await ask(await start(), 50)).to.equal(50);
    // Its own ledger is empty, as if the ledger of all did not respond.
    const other = await start({ database: `sqlite:${join(folder.path, 'other.db')}` });
    expect(await ask(other, 2)).to.equal(0);
    redis.pause();
    await ask(other, 6);
    await until('Redis counts as away', () => other.saying(GONE).length > 0);
    expect(await ask(other, 5)).to.equal(0);
  });

  for (const fault of faults) {
    it(`a budget is what the ledger has after Redis was ${fault.title}`, async () => {
      const gateway = await start();
      expect(await ask(gateway, 10)).to.equal(10);
      await strike(fault, gateway);
      expect(await ask(gateway, 9)).to.equal(9);
      await mend(fault, gateway);
      expect(await ask(gateway, 10)).to.equal(10);
      await agree(gateway, 35);
    });

    it(`a budget is not exceeded over two outages in which Redis is ${fault.title}`, async () => {
      const gateway = await start();
      let admitted = await ask(gateway, 5);
      for (let outages = 0; outages < 2; outages += 1) {
        await strike(fault, gateway);
        admitted += 6 + (await ask(gateway, 9));
        await mend(fault, gateway);
        admitted += await ask(gateway, 5);
      }
      expect(admitted).to.equal(45);
      expect(await ask(gateway, 10)).to.equal(5);
      await agree(gateway, 50);
    });
  }

  it('a budget counts what this host admitted alone and what ends after the outage', async () => {
    const gateway = await start();
    await ask(gateway, 3);
    await strike(faults[1]!, gateway);
    isHeld = true;
    const late = Array.from({ length: 4 }, () => gateway.ask('alice', { model: VENDOR }));
    await until('they are under way', () => held.length === 4);
    isHeld = false;
    await mend(faults[1]!, gateway);
    await ask(gateway, 2);
    for (const answer of held) answer();
    expect((await Promise.all(late)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    await ask(gateway, 1);
    await agree(gateway, 16);
  });

  it('a budget counts what ends after Redis has lost its reservation, without an outage', async () => {
    const gateway = await start();
    await ask(gateway, 3);
    isHeld = true;
    const late = Array.from({ length: 4 }, () => gateway.ask('alice', { model: VENDOR }));
    await until('they are under way', () => held.length === 4);
    isHeld = false;
    await delay(200);
    await tellRedis(redis, 'FLUSHALL');
    await ask(gateway, 2);
    for (const answer of held) answer();
    await Promise.all(late);
    expect(gateway.saying(GONE)).to.deep.equal([]);
    await delay(1_100);
    await ask(gateway, 1);
    await agree(gateway, 10);
  });

  it('a budget counts what was spent after the state that a Redis comes back with', async () => {
    await redis.stop();
    redis = await startRedis('--dbfilename', 'kept.rdb');
    const gateway = await start();
    await ask(gateway, 5);
    await tellRedis(redis, 'SAVE');
    await ask(gateway, 20);
    // No request is under way, so no call fails.
    await redis.kill();
    await until('it has noticed', () => gateway.saying('Redis cannot be reached').length > 0);
    await redis.restart();
    await until('it is connected again', () => gateway.saying('connected to Redis').length === 2);
    expect(await ask(gateway, 30)).to.equal(25);
    await agree(gateway, 50);
  });

  it('a budget counts what a gateway admitted alone that was killed during the outage', async () => {
    const [first, second] = [await start(), await start()];
    await ask(first, 5);
    await ask(second, 5);
    await strike(faults[0]!, first);
    await strike(faults[0]!, second);
    expect(await ask(first, 4)).to.equal(4);
    await until('the ledger has it', () => Math.abs(bookedOf() - 26 * ANSWER_USD) < 1e-9);
    first.signal('SIGKILL');
    await first.exit;
    await mend(faults[0]!, second);
    expect(await ask(second, 4)).to.equal(4);
    await agree(second, 30);
  });
});

describe('budgets while the database of the ledger is away', () => {
  it('a budget is not exceeded while Redis and the ledger are away, and is what the ledger has afterwards', async function () {
    requireRedis(this);
    requirePostgres(this);
    const upstream = await startUpstream();
    // What is committed survives a kill -9.
    const [postgres, redis] = [await startPostgres('-c', 'synchronous_commit=on'), await startRedis()];
    upstream.answer = (response) => answerPlain(response, { input: 9_990, output: 10 });
    const gateway = await startLimited({
      keys: { alice: [] },
      organization: [{ cost: 0.5, per: 'month' }],
      vendor: upstream.url,
      redis: redis.url,
      redisTimeout: '300ms',
      database: postgres.url,
    });
    try {
      const ask = async (count: number): Promise<number> => {
        let admitted = 0;
        for (let index = 0; index < count; index += 1)
          if ((await gateway.ask('alice', { model: VENDOR })).status === 200) admitted += 1;
        return admitted;
      };
      let admitted = await ask(10);
      await postgres.kill();
      admitted += await ask(5);
      await redis.kill();
      admitted += await ask(15);
      await until('Redis counts as away', () => gateway.saying(GONE).length > 0);
      await redis.restart();
      await until('Redis is used again', () => gateway.saying(BACK).length > 0);
      admitted += await ask(5);
      await postgres.restart();
      await until('every row is written', () => gateway.saying(REPLAYED).length > 0);
      await delay(1_500);
      admitted += await ask(30);
      expect(admitted).to.equal(50);
      const client = new Client({ connectionString: postgres.url });
      await client.connect();
      const bookedOf = async (): Promise<number> =>
        Number((await client.query<{ cost: string }>('SELECT sum(cost) AS cost FROM ledger')).rows[0]?.cost) / 1e9;
      await until('the ledger has every answer', async () => (await bookedOf()) === 0.5);
      await client.end();
      expect((await gateway.left('alice', VENDOR)).find(({ unit }) => unit === 'cost')?.spent).to.equal(0.5);
    } finally {
      await gateway.end();
      await Promise.all([upstream.stop(), postgres.stop(), redis.stop()]);
    }
  });
});
