import { expect } from 'chai';
import * as fc from 'fast-check';
import type { RedisConnection } from '../../../../core/services/redis/redis.ts';
import type { Charge } from '../../../../plugins/rate-limit/store/store.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';
import { calendar, leases, request, window } from '../store/charges.ts';
import { commandsOf, connectRedis } from '../store/stores.ts';
import { LEASE_MS, startGateways, type TestGateways } from './gateways.ts';

const MINUTE = 60_000;
const LIMITS = { requests: 400, tokens: 9_000, cost: 18_000, places: 120 };

/** What one request has taken, as a model that keeps everything counts it. */
interface Entry {
  readonly gateway: number;
  readonly id: string;
  readonly at: number;
  tokens: number;
  cost: number;
  requests: number;
  readonly kept: number;
  isOpen: boolean;
  settledAt: number;
}

const count = { max: 20, min: 1 };
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      gateway: fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, fc.nat(9)),
      count: fc.integer(count),
      tokens: fc.integer({ min: 0, max: 60 }),
      cost: fc.integer({ min: 0, max: 90 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      count: fc.integer(count),
      percent: fc.integer({ min: 0, max: 120 }),
      isSent: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 250 }) }) },
  { weight: 8, arbitrary: fc.constant({ kind: 'tick' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 400, max: 4_500 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      gateway: fc.nat(9),
      how: fc.constantFrom('before' as const, 'lost' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'reconnect' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), gateway: fc.nat(9) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Plays a history on gateways, and compares each admission with the model. */
class History {
  readonly #gateways: TestGateways;
  readonly #redis: RedisConnection;
  readonly #entries: Entry[] = [];
  readonly #killed = new Set<number>();
  readonly #cut = new Set<number>();
  #tickedAt = 0;
  #cutForMs = 0;
  admitted = 0;

  constructor(gateways: TestGateways, redis: RedisConnection) {
    this.#gateways = gateways;
    this.#redis = redis;
  }

  async play(each: Step): Promise<void> {
    const { all, clock } = this.#gateways;
    switch (each.kind) {
      case 'reserve':
        return this.#reserve(each.gateway % all.length, each.count, each.tokens, each.cost);
      case 'settle':
        return this.#settle(each.count, each.isSent ? each.percent / 100 : 0);
      case 'pass':
        return this.#pass(each.ms);
      case 'tick':
        this.#tickedAt = clock.now();
        await this.#gateways.tick(this.#killed);
        return;
      case 'cut':
        if (this.#cut.size === 0) this.#cutForMs = 0;
        this.#cut.add(each.gateway % all.length);
        this.#gateways.cut(each.gateway % all.length, each.how);
        return;
      case 'reconnect':
        return this.reconnect();
      case 'kill':
        return this.#kill(each.gateway % all.length);
    }
  }

  /** A gateway that is cut off for longer than its leases is as good as killed. */
  async #pass(ms: number): Promise<void> {
    await this.#gateways.pass(ms);
    this.#cutForMs += ms;
    if (this.#cutForMs > LEASE_MS / 3) await this.reconnect();
    for (const [gateway, { store }] of this.#gateways.all.entries()) {
      if (this.#killed.has(gateway) || this.#cut.has(gateway)) continue;
      const ids = this.#entries.flatMap((entry) => (entry.isOpen && entry.gateway === gateway ? [entry.id] : []));
      await store.refresh('acme', ids, LEASE_MS);
      if (ms > LEASE_MS / 6) await store.tick();
    }
  }

  async reconnect(): Promise<void> {
    for (const gateway of this.#cut) {
      this.#gateways.cut(gateway, undefined);
      await this.#gateways.all[gateway]?.breaker.probe();
    }
    this.#cut.clear();
  }

  /** Settles everything, and compares what Redis counts with the model. */
  async end(): Promise<void> {
    await this.reconnect();
    await this.#settle(this.#entries.length, 0.5);
    for (let spans = 0; spans < 3; spans += 1) {
      await this.#gateways.tick(this.#killed);
      await this.#gateways.pass(200);
    }
    if (this.#killed.size > 0) return;
    const [tokens, requests, cost, places] = await this.#peek();
    expect(places, 'places').to.equal(LIMITS.places);
    expect(cost, 'cost').to.equal(LIMITS.cost - this.#sum((entry) => entry.cost));
    expect(tokens, 'tokens of an hour').to.equal(LIMITS.tokens - this.#sum((entry) => entry.tokens));
    const inWindow = this.#sum((entry) => (entry.at > this.#gateways.clock.now() - MINUTE ? entry.requests : 0));
    expect(requests, 'requests').to.be.at.most(LIMITS.requests - inWindow);
  }

  async #reserve(gateway: number, count: number, tokens: number, cost: number): Promise<void> {
    if (this.#killed.has(gateway)) return;
    const { all, clock } = this.#gateways;
    const before = this.#entries.length;
    await Promise.all(
      Array.from({ length: count }, async () => {
        const made = request(this.#charges(tokens, cost), { leaseMs: LEASE_MS });
        const decision = await Promise.resolve(all[gateway]?.store.reserve(made)).catch(() => undefined);
        if (decision?.admitted !== true) return;
        this.admitted += 1;
        const kept = Math.min(cost, 10);
        const [id, at] = [made.id, clock.now()];
        this.#entries.push({ gateway, id, at, tokens, cost, requests: 1, kept, isOpen: true, settledAt: Infinity });
      }),
    );
    this.#check(this.#entries.length - before, tokens, cost);
    await this.#rest();
  }

  async #settle(count: number, used: number): Promise<void> {
    const { all, clock } = this.#gateways;
    const open = this.#entries.filter(({ isOpen }) => isOpen).slice(0, count);
    await Promise.all(
      open.map(async (entry) => {
        const tokens = Math.floor(entry.tokens * used);
        const cost = Math.floor(entry.cost * used);
        const requests = used === 0 ? 0 : 1;
        const { gateway, id, at, kept } = entry;
        await all[gateway]?.store.settle('acme', id, [tokens, requests, cost, 0], clock.now());
        const excess = tokens - entry.tokens;
        if (excess > 0)
          this.#entries.push({
            gateway,
            id: `${id} more`,
            at: clock.now(),
            tokens: excess,
            cost: 0,
            requests: 0,
            kept,
            isOpen: false,
            settledAt: clock.now(),
          });
        Object.assign(entry, { tokens: Math.min(tokens, entry.tokens), cost, requests, isOpen: false, at });
        entry.settledAt = clock.now();
      }),
    );
    await this.#rest();
  }

  /** What it had reserved is given back; what it has settled since the last report is not known to Redis. */
  #kill(gateway: number): void {
    if (this.#killed.size > 2) return;
    this.#killed.add(gateway);
    this.#gateways.cut(gateway, 'before');
    for (const entry of this.#entries) {
      if (entry.gateway !== gateway || (!entry.isOpen && entry.settledAt < this.#tickedAt)) continue;
      Object.assign(entry, { tokens: 0, cost: Math.min(entry.cost, entry.kept), isOpen: false });
    }
  }

  /** No limit is exceeded by what is counted now, except by what was used beyond reservations. */
  #check(admitted: number, tokens: number, cost: number): void {
    if (admitted === 0) return;
    const now = this.#gateways.clock.now();
    const inWindow = (entry: Entry): boolean => entry.at > now - MINUTE;
    expect(this.#sum((entry) => (inWindow(entry) ? entry.requests : 0))).to.be.at.most(LIMITS.requests);
    expect(this.#sum(({ isOpen }) => (isOpen ? 1 : 0))).to.be.at.most(LIMITS.places);
    if (tokens > 0) expect(this.#sum((entry) => entry.tokens)).to.be.at.most(LIMITS.tokens);
    if (cost > 0) expect(this.#sum((entry) => entry.cost)).to.be.at.most(LIMITS.cost);
  }

  #sum(read: (entry: Entry) => number): number {
    return this.#entries.reduce((sum, entry) => sum + read(entry), 0);
  }

  #charges(tokens: number, cost: number): readonly Charge[] {
    const began = Date.UTC(2026, 10, 1);
    const bounds = [began - 1e9, began, began + 30 * 86_400_000, began + 60 * 86_400_000];
    return [
      window('tokens', LIMITS.tokens, tokens, 60 * MINUTE),
      { ...window('requests', LIMITS.requests, 1, MINUTE), kept: 1 },
      { ...calendar('cost', LIMITS.cost, cost, bounds), kept: Math.min(cost, 10) },
      leases('places', LIMITS.places),
    ];
  }

  async #peek(): Promise<readonly number[]> {
    const states = await this.#gateways.all[0]!.store.peek('acme', this.#charges(0, 0));
    return states.map(({ remaining }) => remaining);
  }

  /** Until the calls under way have their responses. */
  async #rest(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await this.#redis.ping();
  }
}

describe('grants in any history', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  before(async function startServer() {
    requireRedis(this);
    server = await startRedis();
    redis = await connectRedis(server);
  });
  after(async () => {
    await redis?.close();
    await server?.stop();
  });

  for (const gateways of [1, 3, 10])
    it(`${gateways} gateways never admit too much, and nothing stays counted that is not used`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 150 }), async (steps) => {
          await commandsOf(redis).call('FLUSHALL');
          const history = new History(await startGateways(redis, gateways), redis);
          for (const each of steps) await history.play(each);
          await history.end();
        }),
        { numRuns: Number(process.env['RUNS'] ?? 12), endOnFailure: true },
      );
    });
});
