import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Redis } from '../../../../core/api/index.ts';
import { openRedis, type RedisConnection } from '../../../../core/services/redis/redis.ts';
import { createRedisStore } from '../../../../plugins/rate-limit/store/redis-store.ts';
import type { Charge, LimitStore, ReserveRequest } from '../../../../plugins/rate-limit/store/store.ts';
import { MemoryStore } from '../../../../plugins/rate-limit/store/memory-store.ts';
import { createMemory, EMPTY, TOP } from '../../../../core/services/shared-memory/arena.ts';
import { requireRedis, startRedis, type RedisServer } from '../../../support/servers/redis.ts';

const silent = (): void => {};
export const quiet = { info: silent, warn: silent, error: silent };

/** A store with its clock and its content. */
export interface StoreUnderTest {
  /** The number of random sequences per property. */
  readonly runs: number;
  readonly store: LimitStore;
  /** Unix milliseconds of the store's wall clock. */
  wall(): Promise<number>;
  /** Advances the time. */
  pass(ms: number): Promise<void>;
  /** All of its content, byte by byte. */
  snapshot(): Promise<readonly unknown[]>;
  /** Deletes everything. */
  clear(): Promise<void>;
}

/** A clock that only the test advances. */
export const createManualClock = (): Clock & { wallMs: number; ms: number } => {
  const clock = { wallMs: Date.UTC(2026, 0, 15), ms: 5_000, now: () => clock.wallMs, monotonic: () => clock.ms };
  return clock;
};

const memoryUnderTest = (): StoreUnderTest => {
  const clock = createManualClock();
  let memory = createMemory(1);
  let store = new MemoryStore(clock, memory);
  const known = new Map<string, Charge>();
  const note = (request: ReserveRequest): ReserveRequest => {
    for (const charge of request.charges) known.set(charge.bucket.key, charge);
    return request;
  };
  return {
    runs: 300,
    store: {
      reserve: (request) => store.reserve(note(request)),
      settle: (tenant, id, actual) => store.settle(tenant, id, actual),
      renew: (...words) => store.renew(...words),
      refresh: (...words) => store.refresh(...words),
      peek: (...words) => store.peek(...words),
    },
    wall: async () => clock.wallMs,
    pass: async (ms) => {
      clock.ms += ms;
      clock.wallMs += ms;
    },
    snapshot: async () => {
      // What has left a window is removed when that is read: here, before the content is compared.
      store.peek('acme', [...known.values()]);
      return memory.map((shard) => {
        const words = new Float64Array(shard);
        return words.slice(EMPTY, words[TOP]);
      });
    },
    clear: async () => {
      memory = createMemory(1);
      store = new MemoryStore(clock, memory);
      known.clear();
    },
  };
};

/** The commands of ioredis that the tests use. */
export interface RedisCommands {
  call(name: string, ...words: readonly (string | number)[]): Promise<unknown>;
  keys(pattern: string): Promise<readonly string[]>;
  dumpBuffer(key: string): Promise<Buffer | null>;
  time(): Promise<readonly number[]>;
}
export const commandsOf = (redis: Redis): RedisCommands => redis.client as RedisCommands;

/** Longer than a busy machine needs. */
const TIMEOUT_MS = 10_000;

/** Waits until it is connected. */
export const connectRedis = async (server: RedisServer): Promise<RedisConnection> => {
  const redis = openRedis(server.url, quiet, TIMEOUT_MS);
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await redis.ping();
      return redis;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(5);
    }
  }
};

/** Every key with its content. */
export const dumpRedis = async (redis: Redis): Promise<readonly unknown[]> => {
  const commands = commandsOf(redis);
  const keys = [...(await commands.keys('*'))].toSorted((a, b) => a.localeCompare(b));
  // A key that expires meanwhile has no content.
  return Promise.all(keys.map(async (key) => [key, (await commands.dumpBuffer(key))?.toString('base64')]));
};

const redisUnderTest = (redis: Redis): StoreUnderTest => {
  const commands = commandsOf(redis);
  return {
    runs: 12,
    store: createRedisStore(redis),
    wall: async () => {
      const [seconds = 0, micros = 0] = await commands.time();
      return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
    },
    pass: async (ms) => void (await delay(ms + 2)),
    snapshot: () => dumpRedis(redis),
    clear: async () => void (await commands.call('FLUSHALL')),
  };
};

/** Runs one suite against both stores, which must behave alike. */
export const describeStores = (title: string, suite: (use: () => StoreUnderTest) => void): void => {
  describe(title, () => {
    describe('in this process', () => {
      const memory = memoryUnderTest();
      beforeEach(() => memory.clear());
      suite(() => memory);
    });

    describe('in Redis', () => {
      let server: RedisServer;
      let redis: RedisConnection;
      let store: StoreUnderTest;
      before(async function startServer() {
        requireRedis(this);
        server = await startRedis();
        redis = await connectRedis(server);
        store = redisUnderTest(redis);
      });
      after(async () => {
        await redis?.close();
        await server?.stop();
      });
      beforeEach(() => store.clear());
      suite(() => store);
    });
  });
};
