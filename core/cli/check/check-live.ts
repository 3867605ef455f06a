import { setTimeout as delay } from 'node:timers/promises';
import { redactKnown } from '../../canonical/text/known-secrets.ts';
import { describePath } from '../../config/describe-path.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { folderOf, type LoadedConfig } from '../../config/load.ts';
import { systemClock } from '../../services/clock.ts';
import { fetchService } from '../../services/network/fetch.ts';
import type { RedisConfig } from '../../services/redis/redis-config.ts';

/** How long the connection to Redis can take. */
const CONNECT_MS = 5_000;
const COMMAND_MS = 2_000;
const STEP_MS = 50;
const silent = (): void => {};
const log = { info: silent, warn: silent, error: silent };

/** As the limits do it, in many slots: a script that writes. */
const WRITE = "redis.call('SET', KEYS[1], '1', 'PX', 1) return redis.call('TIME')";
const KEYS = Array.from({ length: 16 }, (_, index) => `koine:check:${index}`);

/** @returns what is wrong; undefined if Redis can be used */
const tryRedis = async (config: RedisConfig): Promise<string | undefined> => {
  const { openRedis } = await import('../../services/redis/redis.ts');
  const { describeProblem } = await import('../../services/redis/describe-problem.ts');
  const redis = openRedis(config, log, COMMAND_MS);
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
const checkStores = async ({ store }: GatewayConfig): Promise<readonly string[]> => {
  const [redis, database] = await Promise.all([
    store.redis === undefined ? undefined : tryRedis(store.redis),
    tryDatabase(store.database),
  ]);
  return [
    ...(redis === undefined ? [] : [`store.redis cannot be used: ${redis}`]),
    ...(database === undefined ? [] : [`store.database cannot be used: ${database}`]),
  ];
};

/** Tries the services of plugins. @returns a line for each that cannot be used */
const checkPlugins = async (loaded: LoadedConfig): Promise<readonly string[]> => {
  const services = { clock: systemClock, fetch: fetchService, folder: folderOf(loaded), log };
  const lines = loaded.extensions.plugins.map(async ({ definition }, index) => {
    const findings = (await definition.checkLive?.(loaded.config.plugins[index]?.config, services)) ?? [];
    return findings.map(
      ({ path, message }) => `${describePath(['plugins', index, 'config', ...path])} cannot be used: ${message}`,
    );
  });
  return (await Promise.all(lines)).flat().map(redactKnown);
};

/** Tries what a start connects to, and what plugins call. @returns a line for each that cannot be used */
export const checkLive = async (loaded: LoadedConfig): Promise<readonly string[]> =>
  (await Promise.all([checkStores(loaded.config), checkPlugins(loaded)])).flat();
