import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { requirePostgres, startPostgres, type PostgresServer } from '../support/servers/postgres.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { startLimited, VENDOR, type Limited } from './support/limited.ts';
import { answerPlain } from './support/vendor.ts';

const GONE = 'Redis is not available for limits: onStoreFailure applies until it is';
const BACK = 'Redis is available again, and counts the limits';
const BUDGET_USD = 0.5;
/** Each answer costs a cent, and reserves little more. */
const request = { model: VENDOR, max_tokens: 10_000 };

/** Organizations that share the gateways: each test spends the budget of its own. */
const TEAMS = ['one', 'two', 'three'] as const;
type Team = (typeof TEAMS)[number];

describe('a budget of two gateways while neither Redis nor the ledger is there', () => {
  let upstream: TestUpstream;
  let postgres: PostgresServer;
  let redis: RedisServer;
  let gateways: readonly [Limited, Limited];
  let team: Team;
  let held: (() => void)[] = [];
  let isHeld = false;
  before(async function () {
    requireRedis(this);
    requirePostgres(this);
    upstream = await startUpstream();
    upstream.answer = (response) => {
      const answer = (): void => answerPlain(response, { input: 9_990, output: 10 });
      if (isHeld) held.push(answer);
      else answer();
    };
    [postgres, redis] = [await startPostgres('-c', 'synchronous_commit=on'), await startRedis()];
    gateways = [await start(), await start()];
  });
  after(async () => {
    await Promise.all((gateways ?? []).map((gateway) => gateway.end()));
    await Promise.all([upstream?.stop(), postgres?.stop(), redis?.stop()]);
  });
  const start = (): Promise<Limited> =>
    startLimited({
      keys: {},
      teams: Object.fromEntries(TEAMS.map((name) => [name, [{ cost: BUDGET_USD, per: 'month' }]])),
      config: { replicas: 2 },
      vendor: upstream.url,
      redis: redis.url,
      redisTimeout: '300ms',
      database: postgres.url,
    });
  /** Asks one after another. @returns how many were admitted */
  const ask = async (gateway: Limited, count: number): Promise<number> => {
    let admitted = 0;
    for (let index = 0; index < count; index += 1) if ((await gateway.ask(team, request)).status === 200) admitted += 1;
    return admitted;
  };
  const hold = (gateway: Limited, count: number): Promise<unknown> => {
    [held, isHeld] = [[], true];
    return Promise.all(Array.from({ length: count }, () => gateway.ask(team, request)));
  };
  const counts = (text: string): number => Math.min(...gateways.map((gateway) => gateway.saying(text).length));
  const killRedis = async (): Promise<number> => {
    const before = counts(GONE);
    await redis.kill();
    const admitted = await Promise.all(gateways.map((gateway) => ask(gateway, 8)));
    await until('Redis counts as away', () => counts(GONE) > before);
    return admitted.reduce((sum, each) => sum + each, 0);
  };
  const restartRedis = async (): Promise<void> => {
    const before = counts(BACK);
    await redis.restart();
    await until('Redis is used again', () => counts(BACK) > before);
  };
  const readBooked = async (): Promise<number> => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ cost: string; open: string }>(
      `SELECT coalesce(sum(cost), 0) AS cost FROM ledger WHERE state = 'settled' AND organization = $1`,
      [team],
    );
    await client.end();
    return Number(rows[0]?.cost) / 1e9;
  };

  const untilBooked = (admitted: number): Promise<void> =>
    until('the ledger has every answer', async () => Math.abs((await readBooked()) - admitted / 100) < 1e-9, 100);

  it('what was reserved in Redis is not given away again', async () => {
    team = 'one';
    const [first, second] = gateways;
    expect(await ask(first, 5)).to.equal(5);
    const late = hold(first, 30);
    await until('they are under way', () => held.length === 30);
    isHeld = false;
    expect(await ask(second, 1)).to.equal(1);
    await postgres.kill();
    let admitted = 36 + (await killRedis());
    admitted += (await ask(first, 20)) + (await ask(second, 20));
    for (const answer of held) answer();
    await late;
    admitted += (await ask(first, 20)) + (await ask(second, 20));
    expect(admitted).to.be.within(46, 50);
    // The next test begins with both stores.
    await Promise.all([postgres.restart(), restartRedis()]);
    await untilBooked(admitted);
  });

  it('a Redis that comes back empty gives no gateway a second part', async () => {
    team = 'two';
    const [first, second] = gateways;
    let admitted = (await ask(first, 5)) + (await ask(second, 5)) + (await ask(first, 1));
    await postgres.kill();
    admitted += await killRedis();
    for (let times = 0; times < 3; times += 1) {
      admitted += await ask(first, 30);
      await restartRedis();
      admitted += (await ask(first, 5)) + (await ask(second, 5)) + (await killRedis());
    }
    admitted += await ask(second, 30);
    expect(admitted).to.be.within(46, 50);
    // The next test begins with both stores.
    await Promise.all([postgres.restart(), restartRedis()]);
    await untilBooked(admitted);
  });

  it('a Redis that comes back empty counts what hosts admitted alone before the ledger has it', async () => {
    team = 'three';
    const [first, second] = gateways;
    let admitted = (await ask(first, 5)) + (await ask(second, 5));
    const late = hold(second, 10);
    await until('they are under way', () => held.length === 10);
    isHeld = false;
    await ask(first, 1);
    admitted += 11;
    await postgres.kill();
    admitted += await killRedis();
    for (const answer of held) answer();
    await late;
    admitted += await ask(second, 4);
    await restartRedis();
    await postgres.restart();
    const [one, other] = await Promise.all(gateways.map((gateway) => ask(gateway, 60)));
    admitted += (one ?? 0) + (other ?? 0);
    expect(admitted).to.be.within(46, 50);
    await delay(1_000);
    await untilBooked(admitted);
  });
});
