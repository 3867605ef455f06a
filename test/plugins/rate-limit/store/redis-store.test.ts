import { expect } from 'chai';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { type RedisConnection, openRedis } from '../../../../core/services/redis/redis.ts';
import { createRedisStore } from '../../../../plugins/rate-limit/store/redis-store.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { BaselineStore } from '../../../../plugins/rate-limit/store/baseline-store.ts';
import type { Charge, Debits, Decision } from '../../../../plugins/rate-limit/store/store.ts';
import { until } from '../../../support/until.ts';
import { calendar, leases, request, tokenBucket, window } from './charges.ts';
import { commandsOf, connectRedis, dumpRedis, quiet } from './stores.ts';

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the Redis store', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let other: RedisConnection;
  before(async function startServer() {
    requireRedis(this);
    server = await startRedis();
    redis = await connectRedis(server);
    other = await connectRedis(server);
  });
  after(async () => {
    await redis?.close();
    await other?.close();
    await server?.stop();
  });
  beforeEach(async () => void (await commandsOf(redis).call('FLUSHALL')));
  const hour = window('requests', 50, 1, 3_600_000);
  const run = (...words: readonly (string | number)[]): Promise<unknown> =>
    commandsOf(redis).call(...(words as readonly [string]));

  it('admits exactly 50 of 200 requests over two connections', async () => {
    const stores = [createRedisStore(redis), createRedisStore(other)];
    const decisions = await Promise.all(
      Array.from({ length: 200 }, (_, index) => stores[index % 2]!.reserve(request([hour]))),
    );
    expect(decisions.filter(({ admitted }) => admitted)).to.have.length(50);
  });

  it('puts all keys of a tenant into one slot, and gives every key an expiry', async () => {
    const now = Date.now();
    await createRedisStore(redis).reserve(
      request(
        [
          hour,
          tokenBucket('t', 9, 1, 1, 1e6),
          calendar('c', 9, 1, [now - 2e6, now - 1e6, now + 1e6, now + 2e6]),
          leases('l', 3),
        ],
        { tenant: 'a}b{' },
      ),
    );
    const keys = await commandsOf(redis).keys('*');
    expect(keys).to.have.length(6);
    for (const key of keys) {
      expect(key).to.match(/^koine:\{a%7Db%7B\}:/);
      expect(await run('PTTL', key), key).to.be.within(1_000, 33 * 24 * 3_600_000);
    }
  });

  it('leaves no state after a settlement of an unused reservation', async () => {
    const store = createRedisStore(redis);
    const made = request([leases('l', 3)]);
    await store.reserve(made);
    await store.settle('acme', made.id, [0]);
    expect(await commandsOf(redis).keys('*')).to.deep.equal([]);
  });

  it('takes a place that was given back in a command which Redis reads after the reservation', async () => {
    const store = createRedisStore(redis);
    const [first, second] = [request([leases('l', 1)]), request([leases('l', 1)])];
    await store.reserve(first);
    // On one connection, Redis reads commands in their order.
    const reserved = store.reserve(second);
    const settled = store.settle('acme', first.id, [0]);
    expect([(await reserved).admitted, await settled]).to.deep.equal([true, []]);
    expect((await store.reserve(request([leases('l', 1)]))).admitted).to.equal(false);
  });

  it('starts again in a Redis that came back empty, without negative counts', async () => {
    const store = createRedisStore(redis);
    const made = request([window('a', 100, 40, 60_000), leases('l', 3)]);
    await store.reserve(made);
    await run('FLUSHALL');
    expect(await store.settle('acme', made.id, [90, 0])).to.equal(undefined);
    await store.refresh('acme', [made.id], 1_000);
    expect(await commandsOf(redis).keys('*')).to.deep.equal([]);
  });

  it('the Redis store continues after Redis has lost its scripts', async () => {
    const store = createRedisStore(redis);
    await store.reserve(request([hour]));
    await run('SCRIPT', 'FLUSH');
    const decisions = await Promise.all([store.reserve(request([hour])), store.reserve(request([hour]))]);
    expect(decisions.map(({ states }) => states[0]!.remaining)).to.deep.equal([48, 47]);
  });

  it('rejects without a change if Redis is a replica or out of memory, but settles', async () => {
    const store = createRedisStore(redis);
    const made = request([window('a', 100, 40, 60_000)]);
    await store.reserve(made);
    const before = await dumpRedis(redis);
    await run('CONFIG', 'SET', 'maxmemory', '1');
    expect(String(await rejection(Promise.resolve(store.reserve(request([window('a', 100, 1, 60_000)])))))).to.include(
      'OOM',
    );
    expect(await dumpRedis(redis)).to.deep.equal(before);
    expect(await store.settle('acme', made.id, [10])).not.to.equal(undefined);
    await run('CONFIG', 'SET', 'maxmemory', '0');
    const [{ remaining } = { remaining: 0 }] = await store.peek('acme', [window('a', 100, 0, 60_000)]);
    expect(remaining).to.equal(90);
    await run('REPLICAOF', '127.0.0.1', '1');
    const replica = createRedisStore(other);
    expect(
      String(await rejection(Promise.resolve(replica.reserve(request([window('a', 100, 1, 60_000)]))))),
    ).to.include('READONLY');
    await run('REPLICAOF', 'NO', 'ONE');
    expect((await store.peek('acme', [window('a', 100, 0, 60_000)]))[0]!.remaining).to.equal(90);
  });

  describe('a budget that is counted anew after a fault', () => {
    const account = { path: ['acme'], models: [], share: 1 };
    const start = Date.now() - 1e6;
    const KEY = 'organization;acme;cost;month;calendar;';
    const budget = (amount: number): Charge => {
      const charge = calendar(KEY, 100, amount, [start - 1e6, start, start + 2e6, start + 3e6]);
      return { ...charge, bucket: { ...charge.bucket, account } };
    };
    const spent = async (): Promise<number | undefined> =>
      (await createRedisStore(redis).peek('acme', [budget(0)]))[0]?.spent;
    /** Reserves with what the ledger has; undefined: it does not respond. */
    const reserve = async (amount: number, ledger: number | undefined, sinceFaultMs?: number): Promise<Decision> => {
      const store = new BaselineStore(createRedisStore(redis), async (_account, span) => {
        if (ledger === undefined) throw new Error('the ledger does not respond');
        return { ...span, amount: ledger };
      });
      return store.reserve(request([budget(amount)], sinceFaultMs === undefined ? {} : { sinceFaultMs }));
    };
    const debitsOf = (amount: number, endedAt: number, leaseMs = 1_000): Debits => ({
      budgets: [{ key: KEY, start, end: start + 2e6, amount }],
      endedAt,
      leaseMs,
    });
    const debit = (id: string, ...debits: Parameters<typeof debitsOf>): Promise<void> =>
      createRedisStore(redis).debit('acme', id, debitsOf(...debits));

    it('reads the ledger again after a fault, once, and keeps what is reserved', async () => {
      const store = createRedisStore(redis);
      await reserve(0, 10);
      await store.reserve(request([budget(7)]));
      expect((await reserve(0, 30)).states[0]).to.include({ remaining: 83, spent: 10 });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await reserve(0, 30, 5)).states[0]).to.include({ remaining: 63, spent: 30 });
      expect((await reserve(0, 50, 60_000)).states[0]).to.include({ remaining: 63, spent: 30 });
    });

    it('reads the ledger once after a fault, also if that takes longer than the fault is old', async () => {
      await reserve(0, 10);
      // The fault is later than this reading, by more than a call takes on a busy machine.
      await new Promise((resolve) => setTimeout(resolve, 600));
      let reads = 0;
      const store = new BaselineStore(createRedisStore(redis), async (_account, span) => {
        reads += 1;
        if (reads < 4) await new Promise((resolve) => setTimeout(resolve, 600));
        return { ...span, amount: 30 };
      });
      const decisions = await Promise.all([
        store.reserve(request([budget(1)], { sinceFaultMs: 500 })),
        store.reserve(request([budget(1)], { sinceFaultMs: 500 })),
      ]);
      expect(decisions.map(({ admitted }) => admitted)).to.deep.equal([true, true]);
      expect(reads).to.equal(2);
      expect(await spent()).to.equal(30);
    });

    it('requests after a fault do not make each other read a slow ledger again and again', async () => {
      await reserve(0, 10);
      await new Promise((resolve) => setTimeout(resolve, 600));
      let reads = 0;
      const store = new BaselineStore(createRedisStore(redis), async (_account, span) => {
        reads += 1;
        if (reads > 30) throw new Error('too often');
        await new Promise((resolve) => setTimeout(resolve, 600));
        return { ...span, amount: 30 };
      });
      const decisions: Promise<Decision>[] = [];
      const faultAt = performance.now() - 500;
      for (let count = 0; count < 6; count += 1) {
        const sinceFaultMs = Math.round(performance.now() - faultAt);
        decisions.push(Promise.resolve(store.reserve(request([budget(1)], { sinceFaultMs }))));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect((await Promise.all(decisions)).map(({ admitted }) => admitted)).to.deep.equal(Array(6).fill(true));
      expect(reads).to.be.at.most(12);
    });

    it('waits for a ledger that does not respond once after a fault', async () => {
      await reserve(0, 10);
      await new Promise((resolve) => setTimeout(resolve, 20));
      let reads = 0;
      const store = new BaselineStore(createRedisStore(redis), async (_account, span) => {
        reads += 1;
        if (reads >= 4) return { ...span, amount: 30 };
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new Error('the ledger does not respond');
      });
      expect(await store.reserve(request([budget(1)], { sinceFaultMs: 5 }))).to.include({ admitted: true });
      expect(reads).to.equal(1);
      expect(await spent()).to.equal(10);
    });

    it('is never below what was counted before the fault', async () => {
      await reserve(0, 40);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await reserve(0, 30, 5)).states[0]).to.include({ spent: 40 });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await reserve(5, undefined, 5)).states[0]).to.include({ remaining: 55, spent: 40 });
      expect((await reserve(0, 45)).states[0]).to.include({ spent: 45 });
    });

    it('is not counted without the ledger in a Redis that is empty', async () => {
      const failure = await rejection(reserve(5, undefined));
      expect(String(failure)).to.include('the ledger does not respond');
      await debit('meanwhile', 3, Date.now() + 1_000);
      expect((await reserve(0, 40)).states[0]).to.include({ spent: 43 });
    });

    it('counts a debit once, and only if the baseline does not contain it', async () => {
      await debit('too early', 1, Date.now() - 2_000);
      expect(await spent()).to.equal(0);
      await reserve(0, 30);
      await debit('before', 20, Date.now() - 1_000);
      await debit('after', 3, Date.now() + 1_000);
      await debit('after', 3, Date.now() + 1_000);
      expect(await spent()).to.equal(33);
    });

    it('counts debits whose rows the ledger does not have yet, also after a further fault', async () => {
      await debit('before the window', 7, Date.now() - 2_000);
      await debit('before the window', 7, Date.now() - 2_000);
      expect(String(await rejection(reserve(5, undefined)))).to.include('the ledger does not respond');
      await debit('meanwhile', 2, Date.now());
      await new Promise((resolve) => setTimeout(resolve, 20));
      await reserve(0, 4, 5);
      expect(await spent()).to.equal(9);
      await debit('late', 6, Date.now() - 1_000);
      expect(await spent()).to.equal(15);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await reserve(0, 14, 5);
      expect(await spent()).to.equal(15);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await reserve(0, 18, 5);
      expect(await spent()).to.equal(18);
    });

    it('counts a debit that is late no second time, if the baseline of an earlier fault contains it', async () => {
      await reserve(0, 10);
      for (const ledger of [16, 16]) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await reserve(0, ledger, 5);
      }
      await debit('late', 6, Date.now() - 1_000, 50);
      expect(await spent()).to.equal(22);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      await reserve(0, 16);
      await until('the ledger was read', async () => (await spent()) === 16);
    });

    it('counts what a process knows until the ledger has it, with debits', async () => {
      await debit('alone', 3, Date.now() - 1_000);
      const known = { atFault: () => 20 };
      const store = new BaselineStore(
        createRedisStore(redis),
        async (_account, span) => ({ ...span, amount: 4 }),
        known,
      );
      await store.reserve(request([budget(0)], { leaseMs: 50 }));
      expect(await spent()).to.equal(23);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      expect((await store.peek('acme', [budget(0)]))[0]).to.include({ spent: 4 });
    });

    it('reads the ledger when what it may not have found is no longer counted, and not much later', async () => {
      const known = { atFault: () => 20 };
      const store = new BaselineStore(
        createRedisStore(redis),
        async (_account, span) => ({ ...span, amount: 4 }),
        known,
      );
      await store.reserve(request([budget(0)], { leaseMs: 900 }));
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      // This is read before the 3.6 s are over, and would be read again 3.15 s later.
      expect((await store.peek('acme', [budget(0)]))[0]).to.include({ spent: 20 });
      await new Promise((resolve) => setTimeout(resolve, 2_600));
      expect((await store.peek('acme', [budget(0)]))[0]).to.include({ spent: 4 });
    });

    const uncertain = (id: string): Promise<void> =>
      createRedisStore(redis).debit('acme', id, debitsOf(8, Date.now()), true);

    it('a debit that may have been settled counts only in a Redis that has lost the budget', async () => {
      await uncertain('first');
      await reserve(0, 0);
      await uncertain('second');
      expect(await spent()).to.equal(8);
    });

    it('the ledger says whether a debit that may have been settled was', async () => {
      const store = createRedisStore(redis);
      await reserve(0, 10);
      const settled = request([budget(5)]);
      await store.reserve(settled);
      await store.settle('acme', settled.id, [5], Date.now() + 1);
      for (const [id, ledger, is] of [
        ['was settled', 15, 15],
        ['was not settled', 23, 23],
        ['whose row is late', 23, 23],
      ] as const) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await uncertain(id);
        await until('the ledger is read', async () => {
          await reserve(0, ledger);
          return (await spent()) === is;
        });
      }
    });

    it('gives back the reservation of an exchange that the baseline contains', async () => {
      const store = createRedisStore(redis);
      await reserve(0, 0);
      const [before, after] = [request([budget(20)]), request([budget(20)])];
      await store.reserve(before);
      await store.reserve(after);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await reserve(0, 15, 5);
      await store.settle('acme', before.id, [15], Date.now() - 1_000);
      await store.settle('acme', after.id, [4], Date.now() + 1_000);
      expect((await store.peek('acme', [budget(0)]))[0]).to.include({ remaining: 81, spent: 19 });
    });

    it('reads the ledger again later, without a request that waits, for rows that reached it late', async () => {
      await reserve(0, 10);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      expect((await reserve(0, 12)).states[0]).to.include({ spent: 10 });
      await until('it was read', async () => (await spent()) === 12);
      expect((await reserve(0, 99)).states[0]).to.include({ spent: 12 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await spent()).to.equal(12);
    });

    it('shows rows that reached the ledger late without a further request', async () => {
      await reserve(0, 10);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      const store = new BaselineStore(createRedisStore(redis), async (_account, span) => ({ ...span, amount: 12 }));
      expect((await store.peek('acme', [budget(0)]))[0]).to.include({ spent: 12 });
    });

    describe('when a process dies', () => {
      /** Reserves 20, of which 5 are kept, and dies. Resolves when a later request has released the reservation. */
      const die = async (): Promise<void> => {
        const leaseMs = 50;
        const store = createRedisStore(redis);
        await store.reserve(request([{ ...budget(20), kept: 5 }], { id: 'dead', leaseMs }));
        await new Promise((resolve) => setTimeout(resolve, leaseMs + 5));
        await store.reserve(request([window('w', 9, 0)], { leaseMs }));
        // Then the ledger is read.
        await new Promise((resolve) => setTimeout(resolve, 1_005));
      };

      it('what is kept of its exchange is counted until the ledger was read, which may lack it', async () => {
        await reserve(0, 10);
        await die();
        expect(await spent()).to.equal(15);
        await reserve(0, 10);
        await until('the ledger was read', async () => (await spent()) === 10);
      });

      it('what the ledger has found of its exchange is counted instead', async () => {
        await reserve(0, 10);
        await die();
        await reserve(0, 18);
        await until('the ledger was read', async () => (await spent()) === 18);
      });

      it('what is kept is counted while the ledger may not have found it, also after a fault of Redis', async () => {
        await reserve(0, 10);
        await die();
        const [key = ''] = await commandsOf(redis).keys('*:base');
        const base = String(await run('GET', key)).split(' ');
        expect(base[4]).to.equal('5');
        // The time until which it is counted: far ahead.
        await run('SET', key, [...base.slice(0, 5), Date.now() + 1e6].join(' '));
        const read = new BaselineStore(createRedisStore(redis), async (_account, span) => ({ ...span, amount: 11 }));
        expect((await read.peek('acme', [budget(0)]))[0]).to.include({ spent: 15 });
        expect((await reserve(0, 11, 0)).states[0]).to.include({ spent: 15 });
      });

      it('what a process settles late that was only unreachable counts as a whole', async () => {
        await reserve(0, 10);
        await die();
        await reserve(0, 10);
        await until('the ledger was read', async () => (await spent()) === 10);
        await createRedisStore(redis).settle('acme', 'dead', [8], Date.now());
        expect(await spent()).to.equal(18);
      });

      it('without a ledger, what is kept stays counted', async () => {
        const store = new BaselineStore(createRedisStore(redis), async (_account, span) => ({
          ...span,
          amount: 0,
          isRecorded: false,
        }));
        await store.reserve(request([budget(0)]));
        await die();
        await store.reserve(request([budget(0)]));
        await store.peek('acme', [budget(0)]);
        expect(await spent()).to.equal(5);
      });
    });

    it('keeps its count after a fault without a ledger, and does not ask for it again', async () => {
      let reads = 0;
      const store = new BaselineStore(createRedisStore(redis), async (_account, span) => {
        reads += 1;
        return { ...span, amount: 0, isRecorded: false };
      });
      const made = request([budget(10)]);
      await store.reserve(made);
      await store.settle('acme', made.id, [6], Date.now());
      await store.reserve(request([budget(0)], { sinceFaultMs: 0 }));
      await createRedisStore(redis).settle('acme', made.id, [6], 0);
      expect([reads, await spent()]).to.deep.equal([1, 6]);
    });
  });

  it('the Redis store works over a slow network', async () => {
    const sockets = new Set<Socket>();
    const pipe = (from: Socket, to: Socket): void => {
      sockets.add(from);
      from
        .on('data', (chunk) => setTimeout(() => to.write(chunk), 25))
        .on('error', () => {})
        .on('close', () => to.destroy());
    };
    const proxy = createServer((client) => {
      const upstream = connect(server.port, '127.0.0.1');
      pipe(client, upstream);
      pipe(upstream, client);
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const slow = openRedis(`redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`, quiet);
    try {
      await new Promise((ready) =>
        (slow.client as { once(event: 'ready', ready: (value: unknown) => void): void }).once('ready', ready),
      );
      const made = request([window('a', 100, 40, 60_000)]);
      expect((await createRedisStore(slow).reserve(made)).admitted).to.equal(true);
      expect(await createRedisStore(slow).settle('acme', made.id, [10])).not.to.equal(undefined);
    } finally {
      await slow.close();
      proxy.close();
      for (const socket of sockets) socket.destroy();
    }
  });
});
