import { expect } from 'chai';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { HttpReply } from '../support/http.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { requirePostgres, startPostgres } from '../support/servers/postgres.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { startLimited, VENDOR, type Limited } from './support/limited.ts';
import { tellRedis } from './support/redis-look.ts';
import { answerPlain } from './support/vendor.ts';

const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';
const UNWRITTEN = 'the ledger cannot be written; its rows are kept in a file until the database is back';
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

/** Organizations that share a gateway: each test spends the budget of its own. */
const teams = Object.fromEntries(
  Array.from({ length: 2 * faults.length + 5 }, (_, index) => [`team-${index}`, [{ cost: 0.5, per: 'month' }]]),
);

describe('budgets after a fault of the stores', () => {
  let upstream: TestUpstream;
  let redis: RedisServer;
  let gateway: Limited;
  const folder = createTemporaryFolder();
  const others: Limited[] = [];
  const unspent = Object.keys(teams);
  let team: string;
  let held: (() => void)[];
  let isHeld: boolean;
  before(async function () {
    requireRedis(this);
    upstream = await startUpstream();
    upstream.answer = (response) => {
      const answer = (): void => answerPlain(response, { input: 9_990, output: 10 });
      if (isHeld) held.push(answer);
      else answer();
    };
    redis = await startRedis('--dbfilename', 'kept.rdb');
    gateway = await start();
  });
  beforeEach(() => {
    [team, held, isHeld] = [unspent.pop()!, [], false];
  });
  afterEach(async () => {
    redis.resume();
    for (const other of others.splice(0)) await other.end();
  });
  after(async () => {
    await gateway?.end();
    await upstream?.stop();
    await redis?.stop();
    folder.remove();
  });

  const start = (database = 'koine.db'): Promise<Limited> =>
    startLimited({
      keys: {},
      teams,
      vendor: upstream.url,
      redis: redis.url,
      redisTimeout: '300ms',
      database: `sqlite:${join(folder.path, database)}`,
    });
  const startOther = async (database?: string): Promise<Limited> => {
    const other = await start(database);
    others.push(other);
    return other;
  };
  const askOnce = (of: Limited, more: object = {}): Promise<HttpReply> => of.ask(team, { model: VENDOR, ...more });
  /** Asks one after another. @returns how many were admitted */
  const ask = async (of: Limited, count: number): Promise<number> => {
    let admitted = 0;
    for (let index = 0; index < count; index += 1) if ((await askOnce(of)).status === 200) admitted += 1;
    return admitted;
  };
  /** Requests that get their answers later. */
  const hold = async (): Promise<readonly Promise<HttpReply>[]> => {
    isHeld = true;
    const late = Array.from({ length: 4 }, () => askOnce(gateway));
    await until('they are under way', () => held.length === 4);
    isHeld = false;
    return late;
  };
  /** USD of every row of the ledger. */
  const bookedOf = (): number => {
    const database = new DatabaseSync(join(folder.path, 'koine.db'), { timeout: 20_000 });
    const cost = database.prepare('SELECT sum(cost) AS cost FROM ledger WHERE organization = ?').get(team)?.['cost'];
    database.close();
    return Number(cost ?? 0) / 1e9;
  };
  const isBooked = (answers: number): boolean => Math.abs(bookedOf() - answers * ANSWER_USD) < 1e-9;
  const spentOf = async (): Promise<number> =>
    (await gateway.left(team, VENDOR)).find(({ unit }) => unit === 'cost')?.spent ?? 0;
  const agree = async (answers: number): Promise<void> => {
    await until(`the ledger has ${answers} answers`, () => isBooked(answers), 50);
    await until(
      `the budget has spent what the ledger has, ${answers * ANSWER_USD}`,
      async () => Math.abs((await spentOf()) - answers * ANSWER_USD) < 1e-9,
      50,
    );
  };
  const strike = async (fault: Fault, struck: readonly Limited[] = [gateway]): Promise<void> => {
    const before = struck.map((each) => each.saying(GONE).length);
    await fault.strike(redis);
    // Five failures in a row are an outage. What they admit counts as well.
    for (const each of struck) await Promise.all(Array.from({ length: 6 }, () => askOnce(each, { max_tokens: 1 })));
    await until('Redis counts as away', () =>
      struck.every((each, index) => each.saying(GONE).length > (before[index] ?? 0)),
    );
  };
  const mend = async (fault: Fault): Promise<void> => {
    const before = gateway.saying(BACK).length;
    await fault.mend(redis);
    await until('Redis is used again', () => gateway.saying(BACK).length > before);
  };

  for (const fault of faults) {
    it(`a budget is what the ledger has after Redis was ${fault.title}`, async () => {
      expect(await ask(gateway, 10)).to.equal(10);
      await strike(fault);
      expect(await ask(gateway, 9)).to.equal(9);
      await mend(fault);
      expect(await ask(gateway, 10)).to.equal(10);
      await agree(35);
    });

    it(`a budget is not exceeded over two outages in which Redis is ${fault.title}`, async () => {
      let admitted = await ask(gateway, 5);
      for (let outages = 0; outages < 2; outages += 1) {
        await strike(fault);
        admitted += 6 + (await ask(gateway, 9));
        await mend(fault);
        admitted += await ask(gateway, 5);
      }
      expect(admitted).to.equal(45);
      expect(await ask(gateway, 10)).to.equal(5);
      await agree(50);
    });
  }

  it('a budget counts what this host admitted alone and what ends after the outage', async () => {
    await ask(gateway, 3);
    await strike(faults[1]!);
    const late = await hold();
    await mend(faults[1]!);
    await ask(gateway, 2);
    for (const answer of held) answer();
    expect((await Promise.all(late)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    await ask(gateway, 1);
    await agree(16);
  });

  it('a budget counts what ends after Redis has lost its reservation, without an outage', async () => {
    const outages = gateway.saying(GONE).length;
    await ask(gateway, 3);
    const late = await hold();
    await delay(200);
    await tellRedis(redis, 'FLUSHALL');
    await ask(gateway, 2);
    for (const answer of held) answer();
    await Promise.all(late);
    expect(gateway.saying(GONE)).to.have.length(outages);
    await delay(1_100);
    await ask(gateway, 1);
    await agree(10);
  });

  it('a budget counts what was spent after the state that a Redis comes back with', async () => {
    const saysUnreachable = (): number => gateway.saying('Redis cannot be reached').length;
    const saysConnected = (): number => gateway.saying('connected to Redis').length;
    await ask(gateway, 5);
    await tellRedis(redis, 'SAVE');
    await ask(gateway, 20);
    await until('the ledger has them', () => isBooked(25), 50);
    // No request is under way, so no call fails.
    const [unreachable, connected] = [saysUnreachable(), saysConnected()];
    await redis.kill();
    await until('it has noticed', () => saysUnreachable() > unreachable);
    await redis.restart();
    await until('it is connected again', () => saysConnected() > connected);
    expect(await ask(gateway, 30)).to.equal(25);
    await agree(50);
  });

  it('a budget counts what a gateway admitted alone that was killed during the outage', async () => {
    const killed = await startOther();
    await ask(killed, 5);
    await ask(gateway, 5);
    await strike(faults[0]!, [killed, gateway]);
    expect(await ask(killed, 4)).to.equal(4);
    await until('the ledger has it', () => Math.abs(bookedOf() - 26 * ANSWER_USD) < 1e-9);
    killed.signal('SIGKILL');
    await killed.exit;
    await mend(faults[0]!);
    expect(await ask(gateway, 4)).to.equal(4);
    await agree(30);
  });

  it('a gateway that Redis has only refused knows in an outage that the budget is spent', async () => {
    expect(await ask(gateway, 50)).to.equal(50);
    // Its own ledger is empty, as if the ledger of all did not respond.
    const other = await startOther('other.db');
    expect(await ask(other, 2)).to.equal(0);
    redis.pause();
    await ask(other, 6);
    await until('Redis counts as away', () => other.saying(GONE).length > 0);
    expect(await ask(other, 5)).to.equal(0);
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
      await until('the ledger notices', () => gateway.saying(UNWRITTEN).length > 0);
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
