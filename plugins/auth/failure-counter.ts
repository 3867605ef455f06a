import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Redis } from '../../core/api/index.ts';
import { setBounded } from '../../core/api/internal.ts';
import type { FailureRule } from './options.ts';

/** Clients that are counted in the memory of this process. */
const MAX_CLIENTS = 10_000;

/** The rate limiter takes whole seconds. */
const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000);

/**
 * Counts one failure of a client.
 * @returns the milliseconds for which the client is blocked, or 0; within 100 ms even when Redis does not respond
 */
export type CountFailure = (client: string) => Promise<number>;

/**
 * Counts in Redis, across all processes that share it. Without Redis, or while it does not respond, it counts in this
 * process. The failure that reaches the limit blocks.
 */
export function createFailureCounter({ limit, perMs, blockMs }: FailureRule, redis: Redis | undefined): CountFailure {
  const rule = {
    keyPrefix: 'koine:auth-failures',
    points: limit - 1,
    duration: toSeconds(perMs),
    blockDuration: toSeconds(blockMs),
  };
  const open = async () => {
    const { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
    const memory = new RateLimiterMemory(rule);
    const limiter: RateLimiterAbstract =
      redis === undefined
        ? memory
        : new RateLimiterRedis({
            ...rule,
            storeClient: redis.client,
            rejectIfRedisNotReady: true,
            insuranceLimiter: memory,
          });
    return { memory, limiter, RateLimiterRes };
  };
  let opened: ReturnType<typeof open> | undefined;
  const clients = new Map<string, true>();
  return async (client) => {
    opened ??= open();
    const { memory, limiter, RateLimiterRes } = await opened;
    const evicted = setBounded(clients, MAX_CLIENTS, client, true);
    if (evicted !== undefined) void memory.delete(evicted);
    try {
      await limiter.consume(client);
      return 0;
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return thrown.msBeforeNext;
      throw thrown;
    }
  };
}
