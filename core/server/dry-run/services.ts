import { folderOf, type LoadedConfig } from '../../config/load.ts';
import type { Services } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { systemClock } from '../../services/clock.ts';
import { createKeeper } from '../../services/keep.ts';
import { createMetrics } from '../../services/metrics/metrics.ts';
import { createTenancy } from '../../tenancy/scopes.ts';

/** Services that lead nowhere, and know whether somebody wanted to go there. */
export interface DryRunServices {
  readonly services: Services;
  /** Was something asked for that only a running gateway has? What fails then says nothing about the configuration. */
  readonly wasAsked: () => boolean;
  close(): Promise<void>;
}

/** No network, no database on the disk, no log. */
export function createDryRunServices({ file, config, registry }: LoadedConfig): DryRunServices {
  let asked = false;
  const refuse = (): Promise<never> => {
    asked = true;
    return Promise.reject(new GatewayError('service_unavailable', 'A dry run reaches nothing outside its process.'));
  };
  const silent = (): void => {};
  const { keep, release } = createKeeper().hold();
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
      primary: { ask: refuse },
      keep,
      codec: registry.codec,
    },
    wasAsked: () => asked,
    close: release,
  };
}
