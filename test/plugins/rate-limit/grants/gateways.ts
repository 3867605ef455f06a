import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Redis } from '../../../../core/api/index.ts';
import { createTestServices } from '../../../../core/testing/services.ts';
import { KnownSpending } from '../../../../plugins/rate-limit/admission/charges.ts';
import { createMeters } from '../../../../plugins/rate-limit/meters.ts';
import { createGrantCall } from '../../../../plugins/rate-limit/store/grants/grant-call.ts';
import { GrantStore } from '../../../../plugins/rate-limit/store/grants/grant-store.ts';
import { Breaker } from '../../../../plugins/rate-limit/store/breaker.ts';
import { createRedisStore } from '../../../../plugins/rate-limit/store/redis-store.ts';
import { commandsOf, quiet } from '../store/stores.ts';

/** One gateway, as far as it counts limits. */
export interface TestGateway {
  readonly store: GrantStore;
  readonly breaker: Breaker;
}

/** Gateways on a real Redis, and one clock for all of them that only the test advances. */
export interface TestGateways {
  readonly all: readonly TestGateway[];
  readonly clock: { now(): number; monotonic(): number };
  /** How often a script was run, by its name. */
  readonly calls: Map<string, number>;
  /** Called before each call of a script. */
  onCall: (script: string) => void;
  /** Advances the clock of the gateways and of Redis. */
  pass(ms: number): Promise<void>;
  /**
   * Makes the calls of one gateway fail, or succeed again. `lost`: Redis runs them, and the response is lost.
   * @param script only calls of this one
   */
  cut(gateway: number, how: 'before' | 'lost' | undefined, script?: string): void;
  /** Ends the span of every gateway but these. */
  tick(except?: ReadonlySet<number>): Promise<void>;
}

const CLOCK = 'clock';

/** A script that reads the time of the test. */
const withClock = (lua: string): string =>
  lua.replaceAll("redis.call('TIME')", `redis.call('HMGET', '${CLOCK}', 'seconds', 'micros')`);

export const LEASE_MS = 15_000;

export const startGateways = async (redis: Redis, count: number): Promise<TestGateways> => {
  let passed = 0;
  const began = Date.UTC(2026, 10, 21, 10);
  const clock = { now: () => began + passed, monotonic: () => 1_000_000 + passed };
  const calls = new Map<string, number>();
  const cuts = new Map<number, { readonly how: 'before' | 'lost'; readonly script: string | undefined }>();
  const write = async (): Promise<void> => {
    const now = clock.now();
    await commandsOf(redis).call('HSET', CLOCK, 'seconds', Math.floor(now / 1_000), 'micros', (now % 1_000) * 1_000);
  };
  const redisOf = (index: number): Redis => ({
    client: redis.client,
    ping: async () => {
      if (cuts.has(index)) throw new Error('cut off');
    },
    script: (name, lua) => {
      const run = redis.script(`${name}OfTest`, withClock(lua));
      const isCut = (how: 'before' | 'lost'): boolean => {
        const cut = cuts.get(index);
        return cut?.how === how && (cut.script ?? name) === name;
      };
      return async (keys, args) => {
        if (isCut('before')) throw new Error('cut off');
        calls.set(name, (calls.get(name) ?? 0) + 1);
        gateways.onCall(name);
        const reply = await run(keys, args);
        if (isCut('lost')) throw new Error('cut off');
        return reply;
      };
    },
  });
  const create = (index: number): TestGateway => {
    const own = redisOf(index);
    const breaker = new Breaker({
      store: createRedisStore(own),
      ping: () => own.ping(),
      clock,
      known: new KnownSpending(),
      meters: createMeters(createTestServices().metrics),
      log: quiet,
      probeEvery: 1e9,
    });
    return {
      breaker,
      store: new GrantStore({ breaker, call: createGrantCall(own), clock }, false),
    };
  };
  await write();
  const all = Array.from({ length: count }, (_, index) => create(index));
  const gateways: TestGateways = {
    all,
    clock,
    calls,
    onCall: () => {},
    pass: async (ms) => {
      // What waits for the rows of this turn is sent at this time.
      await nextTurn();
      passed += ms;
      await write();
    },
    cut: (gateway, how, script) => void (how === undefined ? cuts.delete(gateway) : cuts.set(gateway, { how, script })),
    tick: async (except) => {
      await Promise.all(all.map(({ store }, index) => (except?.has(index) === true ? undefined : store.tick())));
    },
  };
  return gateways;
};
