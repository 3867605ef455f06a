import { folderOf, type LoadedConfig } from '../../config/load.ts';
import type { Services } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { systemClock } from '../../services/clock.ts';
import { createSharedResources } from '../../services/shared-resources.ts';
import { createMetrics } from '../../services/metrics/metrics.ts';
import { openOwnTable } from '../../services/shared-memory/tables.ts';
import { createTenancy } from '../../tenancy/scopes.ts';

/** Services without network, files or log, and whether a refused one was used. */
export interface DryRunServices {
  readonly services: Services;
  /**
   * Whether the extension used what only a running gateway has. Its failure then proves nothing about the
   * configuration.
   */
  readonly wasRefused: () => boolean;
  close(): Promise<void>;
}

export function createDryRunServices({ file, config, registry }: LoadedConfig): DryRunServices {
  let refused = false;
  const refuse = (): Promise<never> => {
    refused = true;
    return Promise.reject(new GatewayError('service_unavailable', 'A dry run reaches nothing outside its process.'));
  };
  const silent = (): void => {};
  const { shared, release } = createSharedResources().createHolder();
  return {
    services: {
      log: { info: silent, warn: silent, error: silent },
      clock: systemClock,
      keys: { find: () => undefined },
      tenancy: createTenancy(config),
      redis: undefined,
      metrics: createMetrics(),
      fetch: refuse,
      databaseUrl: 'sqlite::memory:',
      folder: folderOf({ file }),
      primary: { call: refuse },
      shared,
      sharedTable: openOwnTable,
      codec: registry.codec,
    },
    wasRefused: () => refused,
    close: release,
  };
}
