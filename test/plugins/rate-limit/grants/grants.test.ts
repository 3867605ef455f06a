import { expect } from 'chai';
import type { RedisConnection } from '../../../../core/services/redis/redis.ts';
import { BaselineStore } from '../../../../plugins/rate-limit/store/baseline-store.ts';
import { tenantRoot } from '../../../../plugins/rate-limit/store/redis-store.ts';
import type { BucketState, Charge, Decision, LimitStore } from '../../../../plugins/rate-limit/store/store.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { calendar, leases, request, tokenBucket, window } from '../store/charges.ts';
import { commandsOf, connectRedis } from '../store/stores.ts';
import { LEASE_MS, startGateways, type TestGateways } from './gateways.ts';

const MINUTE = 60_000;
const began = Date.UTC(2026, 10, 1);
const bounds = [began - 1e9, began, began + 30 * 86_400_000, began + 60 * 86_400_000];
const perMinute = (limit: number): Charge => ({ ...window('requests', limit, 1, MINUTE), kept: 1 });
const tokens = (amount: number, limit = 1e6): Charge => window('tokens', limit, amount, MINUTE);
const budget = (amount: number, limit = 1e6): Charge => {
  const charge = calendar('cost', limit, amount, bounds);
  return { ...charge, bucket: { ...charge.bucket, account: { path: ['acme'], models: [], share: 1 } } };
};

describe('grants', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let gateways: TestGateways;
  before(async function startServer() {
    requireRedis(this);
    server = await startRedis();
    redis = await connectRedis(server);
  });
  after(async () => {
    await redis?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    await commandsOf(redis).call('FLUSHALL');
    gateways = await startGateways(redis, 2);
  });

  const storeOf = (gateway: number): LimitStore => gateways.all[gateway]!.store;
  const calls = (): number => [...gateways.calls.values()].reduce((sum, count) => sum + count, 0);
  /** A reservation without a call. @throws if there was one */
  const take = (
    store: LimitStore,
    charges: readonly Charge[],
  ): { readonly id: string; readonly decision: Decision } => {
    const made = request(charges, { leaseMs: LEASE_MS });
    const decision = store.reserve(made);
    if (decision instanceof Promise) throw new Error('the store was called');
    expect(decision.admitted).to.equal(true);
    return { id: made.id, decision };
  };
  const ask = async (store: LimitStore, charges: readonly Charge[], more: object = {}): Promise<boolean> =>
    (await store.reserve(request(charges, { leaseMs: LEASE_MS, ...more }))).admitted;
  /** Uses the buckets until the gateway holds grants of them. What it used is given back. */
  const warmUp = async (store: LimitStore, charges: readonly Charge[], uses = 10): Promise<void> => {
    for (let span = 0; span < 2; span += 1) {
      for (let use = 0; use < uses; use += 1) {
        const made = request(charges, { leaseMs: LEASE_MS });
        expect((await store.reserve(made)).admitted).to.equal(true);
        await store.settle(
          'acme',
          made.id,
          charges.map(() => 0),
        );
      }
      await gateways.pass(200);
      await gateways.tick();
    }
  };
  const peek = async (...charges: readonly Charge[]): Promise<readonly BucketState[]> =>
    gateways.all[1]!.breaker.peek('acme', charges);
  const left = async (charge: Charge): Promise<number> => (await peek(charge))[0]!.remaining;
  /** Until the calls under way have their responses. */
  const answered = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await redis.ping();
  };
  /** Until a second has passed in which nothing was used. */
  const idle = async (): Promise<void> => {
    for (let span = 0; span < 3; span += 1) {
      await gateways.pass(200);
      await gateways.tick();
    }
  };

  it('a bucket that is used often is counted without calls, and its use is known to the store', async () => {
    const charges = [perMinute(1_000), tokens(100), budget(50), leases('places', 1_000)];
    const store = new BaselineStore(storeOf(0), async (_account, span) => ({ ...span, amount: 7 }));
    await warmUp(store, charges);
    const before = calls();
    const taken = Array.from({ length: 8 }, () => take(store, charges));
    for (const { id } of taken) await store.settle('acme', id, [1, 30, 20, 0], gateways.clock.now());
    expect(calls(), 'calls').to.equal(before);
    await idle();
    expect((await peek(...charges)).map(({ remaining, spent }) => [remaining, spent])).to.deep.equal([
      [992, undefined],
      [1e6 - 240, undefined],
      [1e6 - 167, 167],
      [1_000, undefined],
    ]);
    expect(await commandsOf(redis).call('ZCARD', `${tenantRoot('acme')}open`), 'records').to.equal(0);
  });

  it('reports what was used after the row of its exchange', async () => {
    const charges = [tokens(50)];
    await warmUp(storeOf(0), charges);
    const { id } = take(storeOf(0), charges);
    const steps: string[] = [];
    gateways.onCall = () => steps.push('report');
    await storeOf(0).settle('acme', id, [20], gateways.clock.now());
    await gateways.pass(200);
    setImmediate(() => steps.push('row'));
    const reported = gateways.tick();
    await reported;
    expect(steps).to.deep.equal(['row', 'report']);
  });

  it('a grant is at most a twentieth of what is left, and what was used in a span', async () => {
    await warmUp(storeOf(0), [tokens(100, 10_000)], 4);
    expect(await left(tokens(0, 10_000)), '400 were used').to.equal(10_000 - 400);
    await warmUp(storeOf(0), [tokens(100, 10_000)], 30);
    expect(await left(tokens(0, 10_000)), '3,000 were used').to.equal(10_000 - 500);
  });

  it('gives back what it does not use', async () => {
    await warmUp(storeOf(0), [perMinute(1_000), leases('places', 100)]);
    expect(await left(perMinute(1_000))).to.equal(990);
    expect(await left(leases('places', 100))).to.equal(95);
    await idle();
    expect(await left(perMinute(1_000))).to.equal(1_000);
    expect(await left(leases('places', 100))).to.equal(100);
  });

  it('does not spend a grant of a sliding window after the part in which it was taken', async () => {
    const charges = [perMinute(1_000)];
    await warmUp(storeOf(0), charges);
    await gateways.pass(1_000);
    const decision = storeOf(0).reserve(request(charges, { leaseMs: LEASE_MS }));
    expect(decision).to.be.instanceOf(Promise);
    await decision;
  });

  it('refuses no request while it holds a part of the bucket itself', async () => {
    const store = storeOf(0);
    await warmUp(store, [tokens(10, 1_000)]);
    expect(await left(tokens(0, 1_000))).to.be.below(1_000);
    expect(await ask(store, [tokens(1_000, 1_000)])).to.equal(true);
  });

  it('a refused request does not wait for the calls that follow one another', async () => {
    const store = storeOf(0);
    await warmUp(store, [tokens(10, 100_000)], 40);
    const running = Array.from({ length: 20 }, () => take(store, [tokens(10, 100_000)]).id);
    // During each call an exchange ends that has used more than it had reserved, so that another call is due.
    gateways.onCall = (script) => {
      const id = script === 'koineGrant' ? running.pop() : undefined;
      if (id !== undefined) queueMicrotask(() => void store.settle('acme', id, [1_000]));
    };
    expect(await ask(store, [tokens(200_000, 100_000)])).to.equal(false);
    expect(running, 'not ended yet').to.have.length.above(10);
  });

  it('counts requests that others hold as used, until they are given back', async () => {
    await warmUp(storeOf(0), [tokens(10, 1_000)]);
    expect(await ask(storeOf(1), [tokens(1_000, 1_000)])).to.equal(false);
    await idle();
    expect(await ask(storeOf(1), [tokens(1_000, 1_000)])).to.equal(true);
  });

  it('token buckets, short windows and buckets that are used rarely are counted in the store', async () => {
    const rare = [perMinute(1_000)];
    expect(await ask(storeOf(0), rare)).to.equal(true);
    await gateways.tick();
    for (const charge of [tokenBucket('burst', 1_000, 1, 100, 1_000), window('short', 1_000, 1, 10_000)])
      await warmUp(storeOf(0), [perMinute(1_000), charge]);
    expect(gateways.calls.get('koineGrant')).to.equal(undefined);
  });

  it('nothing is taken of a bucket whose requests another bucket sends to the store', async () => {
    await warmUp(storeOf(0), [perMinute(1_000), tokenBucket('burst', 1_000, 1, 100, 1_000)], 30);
    expect(await left(perMinute(1_000))).to.equal(1_000);
  });

  it('a shadow limit is counted, and one that is exceeded is decided by the store', async () => {
    const shadow = window('shadow', 40, 1, MINUTE, { enforce: false });
    await warmUp(storeOf(0), [shadow]);
    for (let use = 0; use < 39; use += 1) await ask(storeOf(0), [shadow]);
    await gateways.tick();
    const decisions = [];
    for (let use = 0; use < 5; use += 1) decisions.push(await storeOf(0).reserve(request([shadow])));
    expect(decisions.map(({ states }) => states[0]!.shadowed)).to.deep.equal([false, true, true, true, true]);
  });

  it('what is used beyond a reservation is taken from what is held, or else counted at once', async () => {
    const charges = [tokens(100, 100_000), budget(50)];
    const store = new BaselineStore(storeOf(0), async (_account, span) => ({ ...span, amount: 0 }));
    await warmUp(store, charges, 4);
    const [first, second] = [take(store, charges), take(store, charges)];
    const before = calls();
    await store.settle('acme', first.id, [150, 60], gateways.clock.now());
    expect(calls()).to.equal(before);
    await store.settle('acme', second.id, [4_850, 8_940], gateways.clock.now());
    await answered();
    const [inWindow, inBudget] = await peek(...charges);
    expect(inWindow!.remaining).to.be.at.most(100_000 - 5_000);
    expect(inBudget!.remaining).to.be.at.most(1e6 - 9_000);
    await idle();
    expect((await peek(...charges)).map(({ remaining }) => remaining)).to.deep.equal([95_000, 1e6 - 9_000]);
  });

  it('a lower amount of a limit applies at once', async () => {
    await warmUp(storeOf(0), [tokens(10, 100_000)]);
    expect(storeOf(0).reserve(request([tokens(10, 50)]))).to.be.instanceOf(Promise);
  });

  it('returns everything when it is closed', async () => {
    const charges = [perMinute(1_000), budget(50), leases('places', 1_000)];
    const store = new BaselineStore(storeOf(0), async (_account, span) => ({ ...span, amount: 0 }));
    await warmUp(store, charges);
    const { id } = take(store, charges);
    await store.settle('acme', id, [1, 20, 0], gateways.clock.now());
    await gateways.all[0]!.store.close();
    expect((await peek(...charges)).map(({ remaining }) => remaining)).to.deep.equal([999, 1e6 - 20, 1_000]);
  });

  describe('of a killed gateway', () => {
    const charges = [perMinute(1_000), tokens(100), leases('places', 1_000)];

    it('come back when their lease ends: tokens and places; requests may have been made', async () => {
      await warmUp(storeOf(0), charges);
      take(storeOf(0), charges);
      await gateways.tick();
      gateways.cut(0, 'before');
      await gateways.pass(LEASE_MS - 1_000);
      expect(await left(leases('places', 1_000))).to.be.below(1_000);
      await gateways.pass(2_000);
      // Any request of the tenant releases them.
      await ask(storeOf(1), [leases('other', 9)]);
      const [requests, inWindow, places] = await peek(...charges);
      expect([inWindow!.remaining, places!.remaining]).to.deep.equal([1e6, 1_000]);
      expect(requests!.remaining).to.be.within(980, 999);
      await gateways.pass(MINUTE + 2_000);
      expect(await left(perMinute(1_000))).to.equal(1_000);
    });

    it('that was only cut off are counted as they are when it is back', async () => {
      await warmUp(storeOf(0), charges);
      const [settled, running] = [take(storeOf(0), charges), take(storeOf(0), charges)];
      await gateways.tick();
      gateways.cut(0, 'before');
      storeOf(0).settle('acme', settled.id, [1, 60, 0]);
      await gateways.pass(LEASE_MS + 1_000);
      await ask(storeOf(1), [leases('other', 9)]);
      expect(await left(tokens(0))).to.equal(1e6);
      gateways.cut(0, undefined);
      await idle();
      expect(await left(leases('places', 1_000))).to.equal(999);
      expect(await left(tokens(0)), 'one is running').to.equal(1e6 - 160);
      await storeOf(0).settle('acme', running.id, [1, 30, 0]);
      await idle();
      const [requests, inWindow, places] = await peek(...charges);
      expect([requests!.remaining, places!.remaining]).to.deep.equal([998, 1_000]);
      // What was counted again while it was running leaves the window later than it could.
      expect(inWindow!.remaining).to.be.within(1e6 - 160, 1e6 - 90);
    });
  });

  it('a call whose response is lost is corrected by the next', async () => {
    const charges = [tokens(100), budget(50), leases('places', 1_000)];
    const store = new BaselineStore(storeOf(0), async (_account, span) => ({ ...span, amount: 0 }));
    await warmUp(store, charges);
    const { id } = take(store, charges);
    await store.settle('acme', id, [60, 20, 0], gateways.clock.now());
    gateways.cut(0, 'lost');
    await idle();
    gateways.cut(0, undefined);
    await idle();
    expect((await peek(...charges)).map(({ remaining }) => remaining)).to.deep.equal([1e6 - 60, 1e6 - 20, 1_000]);
    expect(gateways.all[0]!.breaker.faultedAt, 'faults').to.equal(undefined);
  });

  it('a grant whose response is lost is given back', async () => {
    gateways.cut(0, 'lost', 'koineGrant');
    await warmUp(storeOf(0), [leases('places', 1_000)]);
    expect(await left(leases('places', 1_000))).to.be.below(1_000);
    gateways.cut(0, undefined);
    await idle();
    expect(await left(leases('places', 1_000))).to.equal(1_000);
  });

  it('a grant of a part that has ended, and whose response is lost, is given back', async () => {
    const charges = [tokens(100)];
    await warmUp(storeOf(0), charges);
    const { id } = take(storeOf(0), charges);
    await gateways.tick();
    await gateways.pass(1_000);
    gateways.cut(0, 'lost', 'koineGrant');
    for (let use = 0; use < 5; use += 1) await ask(storeOf(0), charges);
    await answered();
    gateways.cut(0, undefined);
    await storeOf(0).settle('acme', id, [0]);
    await idle();
    expect(await left(tokens(0)), 'five in the store').to.equal(1e6 - 500);
  });

  it('what a killed gateway has not spent of a limit of requests stays counted', async () => {
    await warmUp(storeOf(0), [perMinute(1_000)]);
    gateways.cut(0, 'before');
    for (let use = 0; use < 10; use += 1) take(storeOf(0), [perMinute(1_000)]);
    await gateways.pass(LEASE_MS + 1_000);
    await ask(storeOf(1), [leases('other', 9)]);
    expect(await left(perMinute(1_000))).to.equal(990);
  });

  describe('after a fault', () => {
    it('nothing is decided from grants until the store has confirmed them', async () => {
      const charges = [tokens(100)];
      await warmUp(storeOf(0), charges);
      take(storeOf(0), charges);
      gateways.all[0]!.breaker.noteFault();
      const decision = storeOf(0).reserve(request(charges));
      expect(decision).to.be.instanceOf(Promise);
      await decision;
      await answered();
      take(storeOf(0), charges);
    });

    it('a Redis that came back empty counts nothing twice, and a fault is noted', async () => {
      const charges = [tokens(100), leases('places', 1_000)];
      await warmUp(storeOf(0), charges);
      const { id } = take(storeOf(0), charges);
      await commandsOf(redis).call('FLUSHALL');
      await gateways.pass(100);
      await gateways.tick();
      expect(gateways.all[0]!.breaker.faultedAt).to.equal(gateways.clock.monotonic());
      await storeOf(0).settle('acme', id, [90, 0]);
      await idle();
      expect(await left(tokens(0))).to.equal(1e6);
      expect(await left(leases('places', 1_000))).to.equal(1_000);
    });

    it('a budget is what the ledger has, whatever was spent from grants before and after', async () => {
      let ledger = 0;
      const [first, second] = [0, 1].map(
        (gateway) => new BaselineStore(storeOf(gateway), async (_account, span) => ({ ...span, amount: ledger })),
      );
      await warmUp(first!, [budget(50)]);
      const [before, after, running] = [1, 2, 3].map(() => take(first!, [budget(50)]));
      await first!.settle('acme', before!.id, [20], gateways.clock.now());
      await gateways.pass(5);
      // Another gateway has noticed a fault: the ledger has the first exchange, and one that Redis has lost.
      ledger = 20 + 1_000;
      expect(await ask(second!, [budget(50)], { sinceFaultMs: 0 })).to.equal(true);
      await gateways.pass(5);
      await first!.settle('acme', after!.id, [30], gateways.clock.now());
      await gateways.pass(100);
      await gateways.tick();
      expect((await peek(budget(0)))[0]!.spent).to.equal(20 + 1_000 + 30);
      await first!.settle('acme', running!.id, [3], gateways.clock.now());
      await idle();
      expect((await peek(budget(0)))[0]!).to.include({ spent: 1_053, remaining: 1e6 - 1_053 - 50 });
    });

    it('rows that reached the ledger late are read, although every request is decided from grants', async () => {
      let [ledger, reads] = [10, 0];
      const store = new BaselineStore(storeOf(0), async (_account, span) => {
        reads += 1;
        return { ...span, amount: ledger };
      });
      await warmUp(store, [budget(50)]);
      ledger = 500;
      await gateways.pass(1_100);
      await warmUp(store, [budget(50)], 4);
      take(store, [budget(50)]);
      await answered();
      expect([reads, (await peek(budget(0)))[0]!.spent]).to.deep.equal([2, 500]);
    });
  });
});
