import { expect } from 'chai';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { until } from '../support/until.ts';
import { requireRedis, startRedis, type RedisServer } from '../support/servers/redis.ts';
import { startLimited, VENDOR, type Limited, type LimitedSettings } from './support/limited.ts';
import { answerPlain } from './support/vendor.ts';

const HELD = 4;
/** Between two looks at the ledger or the budgets. */
const LOOK_MS = 100;
const JUDGED = 'marked the open rows of dead processes as abandoned, with estimated usage';

describe('the budget after a gateway was killed', () => {
  let upstream: TestUpstream;
  let redis: RedisServer | undefined;
  let folder: ReturnType<typeof createTemporaryFolder>;
  let gateways: Limited[];
  let isHeld: boolean;
  beforeEach(async () => {
    [folder, gateways, isHeld, redis] = [createTemporaryFolder(), [], false, undefined];
    upstream = await startUpstream();
    upstream.answer = (response) => {
      if (!isHeld) answerPlain(response, { input: 99_990, output: 10 });
    };
  });
  afterEach(async () => {
    for (const gateway of gateways) await gateway.end();
    await upstream.stop();
    await redis?.stop();
    folder.remove();
  });

  const start = async (more: Partial<LimitedSettings> = {}): Promise<Limited> => {
    const gateway = await startLimited({
      keys: { alice: [] },
      organization: [{ cost: 10, per: 'month' }],
      vendor: upstream.url,
      database: `sqlite:${join(folder.path, 'koine.db')}`,
      ledger: { lease: '1s' },
      ...more,
    });
    gateways.push(gateway);
    return gateway;
  };
  const ask = async (gateway: Limited): Promise<void> => {
    expect((await gateway.ask('alice', { model: VENDOR })).status).to.equal(200);
  };
  const readRows = (): readonly { readonly state: string; readonly cost: number | null }[] => {
    const database = new DatabaseSync(join(folder.path, 'koine.db'), { timeout: 20_000 });
    const rows = database
      .prepare('SELECT state, cost FROM ledger')
      .all()
      .map(({ state, cost }) => ({ state: String(state), cost: cost as number | null }));
    database.close();
    return rows;
  };
  /** USD of every row of the ledger. */
  const bookedOf = (): number => readRows().reduce((sum, { cost }) => sum + (cost ?? 0), 0) / 1e9;
  const spentOf = async (gateway: Limited): Promise<readonly number[]> =>
    (await gateway.left('alice', VENDOR)).flatMap(({ unit, spent }) =>
      unit === 'cost' && spent !== undefined ? [spent] : [],
    );
  const isBooked = async (gateway: Limited): Promise<boolean> => {
    const spent = await spentOf(gateway);
    return spent.length > 0 && spent.every((each) => Math.abs(each - bookedOf()) < 1e-12);
  };
  /** Starts requests that never get a response, and waits until the ledger has their open rows. */
  const hold = async (gateway: Limited): Promise<void> => {
    const before = upstream.calls.length;
    isHeld = true;
    for (let index = 0; index < HELD; index += 1) gateway.ask('alice', { model: VENDOR }).catch(() => {});
    await until(
      'they are under way',
      () =>
        upstream.calls.length === before + HELD &&
        readRows().filter(({ state }) => state === 'pending').length === HELD,
      LOOK_MS,
    );
    isHeld = false;
  };
  const abandoned = (): number => readRows().filter(({ state }) => state === 'abandoned').length;

  it('the budget includes the exchanges of a killed gateway once, some seconds after the next start', async () => {
    const first = await start();
    await ask(first);
    await hold(first);
    first.signal('SIGKILL');
    await first.exit;
    const next = await start();
    await ask(next);
    await until('the ledger has judged', () => next.saying(JUDGED).length === 1);
    expect(abandoned()).to.equal(HELD);
    await until('the budgets know', () => isBooked(next), LOOK_MS);
    expect(bookedOf()).to.be.above(0.2);
    await ask(next);
    await until(
      'the ledger has written',
      () => readRows().filter(({ state }) => state === 'settled').length === 3,
      LOOK_MS,
    );
    await until('no more than that is counted', () => isBooked(next), LOOK_MS);
  });

  it('the budget includes running exchanges once if one of several workers is killed', async () => {
    const gateway = await start({ workers: 2 });
    await ask(gateway);
    await hold(gateway);
    for (const worker of gateway.workers()) gateway.kill(worker);
    await until('the ledger has judged', () => abandoned() === HELD, LOOK_MS);
    await until('others take their place', () => gateway.workers().length === 4);
    await until('the budgets know', () => isBooked(gateway), LOOK_MS);
    await ask(gateway);
    await until(
      'the ledger has written',
      () => readRows().filter(({ state }) => state === 'settled').length === 2,
      LOOK_MS,
    );
    await until('no more than that is counted', () => isBooked(gateway), LOOK_MS);
  });

  it('the budget includes running exchanges once in Redis, where their leases expire', async function () {
    requireRedis(this);
    redis = await startRedis();
    const settings = { redis: redis.url, redisTimeout: '2s', config: { lease: '1s' } };
    const first = await start(settings);
    await ask(first);
    await hold(first);
    first.signal('SIGKILL');
    await first.exit;
    const next = await start(settings);
    await ask(next);
    await until('the ledger has judged', () => next.saying(JUDGED).length === 1);
    await until('the budgets know', () => isBooked(next), LOOK_MS);
    await ask(next);
    await until(
      'the ledger has written',
      () => readRows().filter(({ state }) => state === 'settled').length === 3,
      LOOK_MS,
    );
    await until('no more than that is counted', () => isBooked(next), LOOK_MS);
  });
});
