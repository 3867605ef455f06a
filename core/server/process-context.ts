import type { LoadedConfig } from '../config/load.ts';
import type { Clock } from '../contracts/services.ts';
import { createReadOn, type ReadOn } from '../lanes/upstream/read-on.ts';
import { createOverload, type Overload } from '../exchange/overload/overload.ts';
import type { Closable } from '../extensions/close.ts';
import { createConnectionLimit, type ConnectionLimit } from '../http/connection/connection-limit.ts';
import { findExposedFiles, openDatabase, type Database } from '../services/database/database.ts';
import type { RedisConnection } from '../services/redis/redis.ts';
import { createSharedResources, type SharedResources } from '../services/shared-resources.ts';
import { countDroppedLines, type LogOutput } from '../services/log/log.ts';
import { watchLoopLag } from '../services/loop-lag.ts';
import { recordBuild } from '../services/metrics/build-info.ts';
import { createMetrics, type OwnMetrics } from '../services/metrics/metrics.ts';
import { ServedCertificates } from './served-certificates.ts';
import { createKeyTable, type KeyTable } from '../tenancy/key-table.ts';
import { createStoredKeys, type StoredKeys } from '../tenancy/cache/stored-keys.ts';

/** What a process opens once and keeps for its whole life. Reloads do not replace it. */
export interface ProcessContext {
  readonly log: LogOutput;
  readonly clock: Clock;
  readonly sharedResources: SharedResources;
  readonly database: Database;
  readonly table: KeyTable;
  readonly storedKeys: StoredKeys;
  readonly redis: RedisConnection | undefined;
  readonly metrics: OwnMetrics;
  readonly overload: Overload;
  readonly readOn: ReadOn;
  readonly connections: ConnectionLimit;
  readonly certificates: ServedCertificates;
}

/** Opens the stores. If it throws, `opened` holds what must be closed. @throws GatewayError `KOINE_STORE_FAILED` */
export async function openProcessContext(
  { config: { store, server }, certificates }: LoadedConfig,
  { log, clock }: Pick<ProcessContext, 'log' | 'clock'>,
  opened: Closable[],
): Promise<ProcessContext> {
  const database = await openDatabase(store.database);
  opened.push({ name: 'database', close: () => database.destroy() });
  const exposed = findExposedFiles(store.database);
  if (exposed.length > 0)
    log.warn(
      { files: exposed },
      'other users of this machine can read the database: make its files private (chmod 600)',
    );
  const redis =
    store.redis === undefined
      ? undefined
      : (await import('../services/redis/redis.ts')).openRedis(store.redis, log, store.redisTimeout);
  if (redis !== undefined) opened.push({ name: 'redis', close: redis.close });
  const table = createKeyTable(database);
  const metrics = createMetrics();
  recordBuild(metrics);
  countDroppedLines(log, metrics);
  const overload = createOverload(server.overload, log, metrics, clock.monotonic);
  opened.push({ name: 'event loop monitor', close: watchLoopLag(overload.observeLag) });
  return {
    log,
    clock,
    sharedResources: createSharedResources(),
    database,
    table,
    storedKeys: createStoredKeys({ table, clock, log }),
    redis,
    metrics,
    overload,
    readOn: createReadOn(server.readOn, metrics),
    connections: createConnectionLimit(server),
    certificates: new ServedCertificates(certificates, metrics),
  };
}
