import type { GatewayConfig } from '../../core/config/gateway-config.ts';
import type { KeyDirectory } from '../../core/contracts/services.ts';
import { createStoredKeys } from '../../core/tenancy/cache/stored-keys.ts';
import { loadConfiguredKeys } from '../../core/tenancy/configured-keys.ts';
import { joinKeys } from '../../core/tenancy/directory.ts';

type Parts = Parameters<typeof createStoredKeys>[0] & Pick<GatewayConfig, 'organizations'>;

/** The keys of a configuration and of a database, as a gateway without a directory of people looks them up. */
export const createKeyDirectory = ({ organizations, ...parts }: Parts): KeyDirectory =>
  joinKeys(loadConfiguredKeys(organizations), createStoredKeys(parts));
