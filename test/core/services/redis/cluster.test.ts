import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { openRedis, type RedisConnection } from '../../../../core/services/redis/redis.ts';
import { createRedisRecords } from '../../../../core/services/vendor-state/redis-records.ts';
import { createTestServices } from '../../../../core/testing/index.ts';
import { createFailureCounter } from '../../../../plugins/auth/failure-counter.ts';
import { createRedisStore, tenantRoot } from '../../../../plugins/rate-limit/store/redis-store.ts';
import type { LimitStore } from '../../../../plugins/rate-limit/store/store.ts';
import { createRedisStore as createResponseStore } from '../../../../plugins/response-cache/store.ts';
import { leases, request, window } from '../../../plugins/rate-limit/store/charges.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import {
  isReplicated,
  startRedisCluster,
  tellNode,
  type RedisClusterServer,
} from '../../../support/servers/redis-cluster.ts';
import { until } from '../../../support/until.ts';

const HOUR = 3_600_000;
const LIMIT = 100;

interface Line {
  readonly fields: object;
  readonly text: string;
}

const succeeds = (attempt: () => Promise<unknown>): Promise<boolean> =>
  attempt().then(
    () => true,
    () => false,
  );

describe('the connection to a Redis Cluster', function suite() {
  let cluster: RedisClusterServer;
  const opened: RedisConnection[] = [];
  const lines: Line[] = [];
  const note = (fields: object, text: string): void => void lines.push({ fields, text });
  const log = { info: note, warn: note, error: note };
  const open = async (timeoutMs = 2_000): Promise<RedisConnection> => {
    const redis = openRedis({ cluster: cluster.hosts.slice(0, 2) }, log, timeoutMs);
    opened.push(redis);
    await until('the cluster is connected', () => succeeds(() => redis.ping()));
    return redis;
  };
  /** Reserves for one tenant from several stores at once. @returns how many were admitted, and the errors */
  const reserveAll = async (stores: readonly LimitStore[], tenant: string, count: number) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, async (_, index) => {
        await delay(index * 2);
        const charges = [window('requests', LIMIT, 1, HOUR), leases('concurrent', 100_000)];
        return stores[index % stores.length]!.reserve(request(charges, { tenant }));
      }),
    );
    return {
      admitted: outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.admitted).length,
      errors: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : [])),
    };
  };

  before(async function start() {
    requireRedis(this);
    this.timeout(60_000);
    cluster = await startRedisCluster();
  });
  afterEach(async () => {
    for (const redis of opened.splice(0)) await redis.close();
    lines.length = 0;
  });
  after(() => cluster?.stop());

  it('limits of many organizations are exact over all nodes and several connections', async () => {
    const stores = [createRedisStore(await open()), createRedisStore(await open())];
    const tenants = Array.from({ length: 12 }, (_, index) => `tenant-${index}`);
    const masters = await Promise.all(tenants.map((tenant) => cluster.masterOf(tenantRoot(tenant))));
    expect(new Set(masters.map(({ port }) => port)).size).to.equal(3);
    const results = await Promise.all(tenants.map((tenant) => reserveAll(stores, tenant, LIMIT * 1.5)));
    expect(results).to.deep.equal(tenants.map(() => ({ admitted: LIMIT, errors: [] })));
  });

  it('sends a script again to a node that has lost it', async () => {
    const store = createRedisStore(await open());
    await reserveAll([store], 'flushed', 10);
    for (const node of cluster.nodes) await tellNode(node, 'SCRIPT', 'FLUSH');
    expect(await reserveAll([store], 'flushed', LIMIT)).to.deep.equal({ admitted: LIMIT - 10, errors: [] });
  });

  it('records, cached responses and counts of wrong keys are spread over the nodes', async () => {
    const redis = await open();
    const digests = Array.from({ length: 20 }, (_, index) => `digest-${index}`);
    const records = createRedisRecords(redis);
    await records.add(digests, { owner: 'acme', provider: 'openai', credential: 'first' });
    const found = await records.find(digests);
    expect(found.map((record) => record?.provider)).to.deep.equal(digests.map(() => 'openai'));
    const responses = createResponseStore(redis);
    await Promise.all(digests.map((digest) => responses.set(digest, `text of ${digest}`, 60_000)));
    expect(await responses.get('digest-7')).to.equal('text of digest-7');
    const rule = { limit: 3, perMs: 60_000, blockMs: 60_000 };
    const count = createFailureCounter(rule, { ...createTestServices(), redis });
    const other = createFailureCounter(rule, { ...createTestServices(), redis: await open() });
    expect([await count('10.0.0.1'), await other('10.0.0.1')]).to.deep.equal([0, 0]);
    expect(await count('10.0.0.1')).to.be.above(0);
  });

  /** As `redis-cli --cluster reshard` does, one key after the other. */
  const moveSlot = async (key: string, pauseMs: number, halfway: () => Promise<unknown>): Promise<void> => {
    const [from, to] = [await cluster.masterOf(key), await cluster.otherMaster(key)];
    const slot = await tellNode(from, 'CLUSTER', 'KEYSLOT', key);
    const [fromId, toId] = [await tellNode(from, 'CLUSTER', 'MYID'), await tellNode(to, 'CLUSTER', 'MYID')];
    await tellNode(to, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
    await tellNode(from, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
    const keys = (await tellNode(from, 'CLUSTER', 'GETKEYSINSLOT', slot, '10000')).split('\n');
    const first = keys.filter((each) => each.endsWith('open'));
    for (const [index, each] of [...first, ...keys.filter((each) => !first.includes(each))].entries()) {
      await tellNode(from, 'MIGRATE', '127.0.0.1', String(to.port), each, '0', '1000');
      if (index === 0) await halfway();
    }
    await delay(pauseMs);
    for (const node of [to, from]) await tellNode(node, 'CLUSTER', 'SETSLOT', slot, 'NODE', toId);
  };

  it('a slot that is moved while requests run counts none of them twice or not at all', async function move() {
    this.timeout(120_000);
    // On a busy machine a move takes long.
    const stores = [createRedisStore(await open(60_000)), createRedisStore(await open(60_000))];
    const tenant = 'moved';
    expect((await reserveAll(stores, tenant, 40)).admitted).to.equal(40);
    let running: ReturnType<typeof reserveAll> | undefined;
    // Once the set of open reservations has been moved, and the counts have not.
    const halfway = async (): Promise<void> => {
      running = reserveAll(stores, tenant, LIMIT);
      await delay(100);
    };
    await moveSlot(tenantRoot(tenant), 50, halfway);
    expect(await running).to.deep.equal({ admitted: LIMIT - 40, errors: [] });
    expect(await reserveAll(stores, tenant, 20)).to.deep.equal({ admitted: 0, errors: [] });
    const [state] = await stores[0]!.peek(tenant, [window('requests', LIMIT, 1, HOUR)]);
    expect(state?.remaining).to.equal(0);
  });

  it('a script waits no longer than the timeout for the end of a move', async () => {
    const store = createRedisStore(await open(300));
    const tenant = 'stuck';
    await reserveAll([store], tenant, 5);
    let stuck: Awaited<ReturnType<typeof reserveAll>> | undefined;
    await moveSlot(tenantRoot(tenant), 0, async () => {
      stuck = await reserveAll([store], tenant, 3);
    });
    expect(stuck?.admitted).to.equal(0);
    expect(stuck?.errors).to.have.length(3);
    expect((await reserveAll([store], tenant, 5)).admitted).to.equal(5);
  });

  const failovers: readonly (readonly [string, (master: RedisServer) => unknown, (master: RedisServer) => unknown])[] =
    [
      ['killed', (master) => master.kill(), (master) => master.restart()],
      ['frozen', (master) => master.pause(), (master) => master.resume()],
    ];
  for (const [what, strike, mend] of failovers)
    it(`after a master was ${what}, its replica counts on from where it was, and limits are exact`, async function () {
      this.timeout(90_000);
      const stores = [createRedisStore(await open(500)), createRedisStore(await open(500))];
      const tenant = `of-${what}`;
      expect((await reserveAll(stores, tenant, 40)).admitted).to.equal(40);
      const root = tenantRoot(tenant);
      const master = await cluster.masterOf(root);
      await until('the replica has all of it', () => isReplicated(master), 50);
      await strike(master);
      const failed = await reserveAll(stores, tenant, 4);
      expect(failed.admitted).to.equal(0);
      await cluster.settled(master);
      // A client closes connections while it takes over the new map of the cluster.
      const peekOften = async (): Promise<unknown> => {
        for (let count = 0; count < 25; count += 1) {
          await Promise.all(stores.map((store) => store.peek(tenant, [])));
          await delay(20);
        }
        return undefined;
      };
      await until('the replica has taken over', () => succeeds(peekOften));
      expect(await reserveAll(stores, tenant, LIMIT)).to.deep.equal({ admitted: LIMIT - 40, errors: [] });
      await mend(master);
      await cluster.settled();
      await delay(500);
      expect(await reserveAll(stores, tenant, 20)).to.deep.equal({ admitted: 0, errors: [] });
      expect(await reserveAll(stores, `new-${what}`, LIMIT + 20)).to.deep.equal({ admitted: LIMIT, errors: [] });
    });

  it('says what is wrong with the settings', async () => {
    const reports = async (redis: RedisConnection, text: string): Promise<void> => {
      opened.push(redis);
      await until(text, () => redis.problem?.includes(text) === true);
    };
    const single = await startRedis();
    try {
      await reports(
        openRedis({ cluster: [`127.0.0.1:${single.port}`] }, log),
        'this is not a Redis Cluster: write its address as store.redis.url',
      );
    } finally {
      await single.stop();
    }
    await reports(
      openRedis(`redis://${cluster.hosts[0]}`, log, 2_000),
      'this is a node of a Redis Cluster: name its nodes in store.redis.cluster',
    );
    expect(lines.filter(({ text }) => text === 'Redis cannot be used')).to.have.length(1);
  });
});
