import { Redis } from 'ioredis';
import type { RedisServer } from '../../support/servers/redis.ts';

/** A command as on the command line. */
export const tellRedis = async (
  { port }: Pick<RedisServer, 'port'>,
  name: string,
  ...words: readonly string[]
): Promise<unknown> => {
  const redis = new Redis(port, '127.0.0.1');
  try {
    return await redis.call(name, ...words);
  } finally {
    redis.disconnect();
  }
};

export interface RedisLook {
  /** Reservations that are not settled. */
  readonly open: readonly string[];
  /** Every number of every bucket, by key and field. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The state of the limits in it. */
export const lookIntoRedis = async ({ port }: Pick<RedisServer, 'port'>): Promise<RedisLook> => {
  const redis = new Redis(port, '127.0.0.1');
  try {
    const open: string[] = [];
    const counts = new Map<string, number>();
    for (const key of await redis.keys('koine:*')) {
      const type = await redis.type(key);
      if (type === 'hash')
        for (const [field, value] of Object.entries(await redis.hgetall(key)))
          counts.set(`${key} ${field}`, Number(value));
      else if (type === 'zset') {
        const ids = await redis.zrange(key, '0', '-1');
        if (key.endsWith(':open')) open.push(...ids);
        else counts.set(key, ids.length);
      } else if (!key.includes(':reservation:')) counts.set(key, Number((await redis.get(key))?.split(' ')[0]));
    }
    return { open, counts };
  } finally {
    redis.disconnect();
  }
};
