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
import { HostLoad } from '../services/shared-memory/host-load.ts';
import { recordBuild } from '../services/metrics/build-info.ts';
import { createMetrics, type OwnMetrics } from '../services/metrics/metrics.ts';
import { createPriceHistory } from './reload/save-prices.ts';
import { OwnRequests } from './playground/own-requests.ts';
import { ServedCertificates } from './served-certificates.ts';
import { createKeyTable, type KeyTable } from '../tenancy/key-table.ts';
import { createStoredKeys, type StoredKeys } from '../tenancy/cache/stored-keys.ts';
import { Alerts } from '../services/alerts/alerts.ts';
import { fetchService } from '../services/network/fetch.ts';
import { StoredTenants } from '../tenancy/tenants/stored-tenants.ts';
import { createTenantTable } from '../tenancy/tenants/tenant-table.ts';

/** What a thread opens once and keeps for its whole life. Reloads do not replace it. */
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
  readonly ownRequests: OwnRequests;
  /** The organizations and projects of the database. */
  readonly tenants: StoredTenants;
  readonly alerts: Alerts;
  /** Adds the prices of a configuration to the price history, while requests are served. */
  readonly keepPrices: (loaded: LoadedConfig) => void;
}

/** Opens the stores. If it throws, `opened` holds what must be closed. @throws GatewayError `KOINE_STORE_FAILED` */
export async function openProcessContext(
  { config: { store, server }, certificates }: LoadedConfig,
  { log, clock }: Pick<ProcessContext, 'log' | 'clock'>,
  opened: Closable[],
  metrics = createMetrics(),
  load = new HostLoad(),
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
  const tenants = new StoredTenants(createTenantTable(database), log);
  await tenants.open();
  opened.push({ name: 'tenants', close: () => tenants.close() });
  recordBuild(metrics);
  countDroppedLines(log, metrics);
  const alerts = new Alerts({ redis, fetch: fetchService, clock, log, metrics });
  opened.push({ name: 'alerts', close: () => alerts.close() });
  // Its first requests would find no store, if it were not connected when it serves.
  await redis?.opened;
  const overload = createOverload(server.overload, log, metrics, clock.monotonic, load);
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
    readOn: createReadOn(server.readOn, metrics, load),
    connections: createConnectionLimit(server, load),
    certificates: new ServedCertificates(certificates, metrics),
    ownRequests: new OwnRequests(clock),
    tenants,
    alerts,
    keepPrices: createPriceHistory({ database, clock, log }, opened),
  };
}

/** From now on a blocked event loop is reported. A start computes for long, and no client waits for it. */
export const watchLag = ({ overload }: ProcessContext, opened: Closable[]): void =>
  void opened.push({ name: 'event loop monitor', close: watchLoopLag(overload.observeLag) });
