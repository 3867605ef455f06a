import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { setBounded, type Redis } from '../../core/index.ts';
import type { FailureRule } from './options.ts';

/** Clients that are counted at once in this process. */
const CLIENTS = 10_000;

/** Redis counts time in whole seconds. */
const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000);

/**
 * Counts one failure of a client.
 * @returns the milliseconds for which the client is blocked, 0 while it is not; within 100 ms also where Redis does not answer
 */
export type CountFailure = (client: string) => Promise<number>;

/**
 * Counts in Redis, where there is one, over every process that shares it; else, and while Redis does not answer, in this process. The
 * failure that reaches the limit blocks.
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
  const counted = new Map<string, true>();
  return async (client) => {
    opened ??= open();
    const { memory, limiter, RateLimiterRes } = await opened;
    const forgotten = setBounded(counted, CLIENTS, client, true);
    if (forgotten !== undefined) void memory.delete(forgotten);
    try {
      await limiter.consume(client);
      return 0;
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return thrown.msBeforeNext;
      throw thrown;
    }
  };
}
