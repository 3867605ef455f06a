import type { Clock, Redis, Services, SharedTable } from '../../core/api/index.ts';
import type { FailureRule } from './options.ts';

/** Clients that are counted in memory. */
const MAX_CLIENTS = 10_000;
/** `until`: unix milliseconds, the end of the time in which failures are counted, or of the block. */
const columns = ['failures', 'until'] as const;

/** The rate limiter takes whole seconds. */
const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000);

/**
 * Counts one failure of a client.
 * @returns the milliseconds for which the client is blocked, or 0; within 100 ms even when Redis does not respond
 */
export type CountFailure = (client: string) => Promise<number>;

/** Counts in memory that all workers share. */
const createMemoryCounter = (
  { limit, perMs, blockMs }: FailureRule,
  { sharedTable, clock }: { readonly sharedTable: Services['sharedTable']; readonly clock: Pick<Clock, 'now'> },
): CountFailure => {
  let opened: Promise<SharedTable<(typeof columns)[number]>> | undefined;
  return async (client) => {
    // Another rule counts from zero.
    opened ??= sharedTable(`failures ${limit} ${perMs} ${blockMs}`, { columns, rows: MAX_CLIENTS });
    const table = await opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return table.update(client, (row) => {
      const now = clock.now();
      if (now >= row.until) [row.failures, row.until] = [0, now + perMs];
      else if (row.failures >= limit) return row.until - now;
      row.failures += 1;
      if (row.failures < limit) return 0;
      row.until = now + blockMs;
      return blockMs;
    });
  };
};

const createRedisCounter = (
  { limit, perMs, blockMs }: FailureRule,
  redis: Redis,
  memory: CountFailure,
): CountFailure => {
  const open = async () => {
    const { RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
    const limiter = new RateLimiterRedis({
      keyPrefix: 'koine:auth-failures',
      points: limit - 1,
      duration: toSeconds(perMs),
      blockDuration: toSeconds(blockMs),
      storeClient: redis.client,
      rejectIfRedisNotReady: true,
    });
    return { limiter, RateLimiterRes };
  };
  let opened: ReturnType<typeof open> | undefined;
  return async (client) => {
    opened ??= open();
    const { limiter, RateLimiterRes } = await opened;
    try {
      await limiter.consume(client);
      return 0;
    } catch (thrown) {
      return thrown instanceof RateLimiterRes ? thrown.msBeforeNext : memory(client);
    }
  };
};

/**
 * Counts in Redis, across all processes that share it. Without Redis, or while it does not respond, it counts in memory
 * that all workers share. The failure that reaches the limit blocks.
 */
export const createFailureCounter = (
  rule: FailureRule,
  services: Pick<Services, 'redis' | 'sharedTable' | 'clock'>,
): CountFailure => {
  const memory = createMemoryCounter(rule, services);
  return services.redis === undefined ? memory : createRedisCounter(rule, services.redis, memory);
};
