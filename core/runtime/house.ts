import type { LoadedConfig } from '../config/load.ts';
import type { Clock, KeyDirectory, Metrics, Redis, Tenancy } from '../contracts/services.ts';
import { createOverload, type Overload } from '../exchange/overload.ts';
import type { Closable } from '../extensions/close.ts';
import { openDatabase } from '../services/database.ts';
import { createKeeper, type Keeper } from '../services/keep.ts';
import { countDroppedLines, type LogOutput } from '../services/log.ts';
import { watchLoopLag } from '../services/loop-lag.ts';
import { createMetrics } from '../services/metrics.ts';
import { recordBuild } from '../services/metrics-build.ts';
import { openRedis } from '../services/redis.ts';
import { createKeyDirectory } from '../tenancy/directory.ts';
import { createKeyTable, type KeyTable } from '../tenancy/key-table.ts';
import { createTenancy } from '../tenancy/scopes.ts';

export interface GatewayEnvironment {
  readonly log: LogOutput;
  readonly clock: Clock;
}

/** What everything that one process starts lives in. */
export interface House extends GatewayEnvironment {
  readonly loaded: LoadedConfig;
  readonly keeper: Keeper;
  readonly table: KeyTable;
  readonly keys: KeyDirectory;
  readonly tenancy: Tenancy;
  readonly redis: Redis | undefined;
  readonly metrics: Metrics;
  readonly overload: Overload;
  /** What has to be closed again, in the order in which it was opened. */
  readonly opened: Closable[];
}

/** Opens the stores. What was opened before a throw stands in `opened`. @throws GatewayError `KOINE_STORE_FAILED` */
export const openHouse = async (loaded: LoadedConfig, { log, clock }: GatewayEnvironment, opened: Closable[]): Promise<House> => {
  const { config } = loaded;
  const database = await openDatabase(config.store.database);
  opened.push({ name: 'database', close: () => database.destroy() });
  const redis = config.store.redis === undefined ? undefined : openRedis(config.store.redis, log, config.store.redisTimeout);
  if (redis !== undefined) opened.push({ name: 'redis', close: redis.close });
  const keeper = createKeeper();
  opened.push({ name: 'kept values', close: keeper.close });
  const table = createKeyTable(database);
  const metrics = createMetrics();
  recordBuild(metrics, loaded.hash);
  countDroppedLines(log, metrics);
  const overload = createOverload(config.server.overload, log, metrics, clock.monotonic);
  opened.push({ name: 'watch over the event loop', close: watchLoopLag(overload.observeLag) });
  return {
    loaded,
    log,
    clock,
    keeper,
    table,
    keys: createKeyDirectory({ organizations: config.organizations, table, clock, log }),
    tenancy: createTenancy(config),
    redis,
    metrics,
    overload,
    opened,
  };
};
