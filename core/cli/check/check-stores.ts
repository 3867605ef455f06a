import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { RedisConfig } from '../../services/redis/redis-config.ts';

/** How long the connection to Redis can take. */
const CONNECT_MS = 5_000;
const COMMAND_MS = 2_000;
const STEP_MS = 50;
const silent = (): void => {};

/** As the limits do it, in many slots: a script that writes. */
const WRITE = "redis.call('SET', KEYS[1], '1', 'PX', 1) return redis.call('TIME')";
const KEYS = Array.from({ length: 16 }, (_, index) => `koine:check:${index}`);

/** @returns what is wrong; undefined if Redis can be used */
const tryRedis = async (config: RedisConfig): Promise<string | undefined> => {
  const { openRedis } = await import('../../services/redis/redis.ts');
  const { describeProblem } = await import('../../services/redis/describe-problem.ts');
  const redis = openRedis(config, { info: silent, warn: silent, error: silent }, COMMAND_MS);
  const write = redis.script('koineCheck', WRITE);
  try {
    for (let waited = 0; redis.problem !== undefined; waited += STEP_MS) {
      if (waited >= CONNECT_MS) return redis.problem;
      await delay(STEP_MS);
    }
    await Promise.all(KEYS.map((key) => write([key], [])));
    return undefined;
  } catch (error) {
    return describeProblem(error as Error);
  } finally {
    await redis.close();
  }
};

const tryDatabase = async (url: string): Promise<string | undefined> => {
  if (!url.startsWith('postgres')) return undefined;
  const { pingPostgres } = await import('../../services/database/postgres.ts');
  return pingPostgres(url).then(
    () => undefined,
    (error: Error) => error.message,
  );
};

/** Connects to the stores of a configuration, as a start would. @returns a line for each that cannot be used */
export async function checkStores({ store }: Pick<GatewayConfig, 'store'>): Promise<readonly string[]> {
  const [redis, database] = await Promise.all([
    store.redis === undefined ? undefined : tryRedis(store.redis),
    tryDatabase(store.database),
  ]);
  return [
    ...(redis === undefined ? [] : [`store.redis cannot be used: ${redis}`]),
    ...(database === undefined ? [] : [`store.database cannot be used: ${database}`]),
  ];
}
