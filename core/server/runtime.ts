import type { LoadedConfig } from '../config/load.ts';
import type { KeyDirectory, Services, Tenancy } from '../contracts/services.ts';
import type { Closable } from '../extensions/close.ts';
import { runInSlices } from '../services/slices.ts';
import { loadKeysInSteps } from '../tenancy/configured-keys.ts';
import { joinKeys } from '../tenancy/directory.ts';
import { createTenancy } from '../tenancy/scopes.ts';
import type { ProcessContext } from './process-context.ts';

/** One configuration in this process, with everything that it starts. */
export interface Runtime extends ProcessContext {
  readonly loaded: LoadedConfig;
  readonly keys: KeyDirectory;
  readonly tenancy: Tenancy;
  /** `services.shared`: a shared resource survives a reload if the next configuration uses it too. */
  readonly shared: Services['shared'];
  /** What this configuration has opened, to be closed after its last request. Nothing of the process context. */
  readonly opened: Closable[];
}

/** @throws GatewayError `KOINE_CONFIG_INVALID` when two keys have the same secret */
export async function openRuntime(context: ProcessContext, loaded: LoadedConfig): Promise<Runtime> {
  const { organizations, admin } = loaded.config;
  const configured = await runInSlices(loadKeysInSteps(organizations));
  const { shared, release } = context.sharedResources.createHolder();
  return {
    ...context,
    loaded,
    keys: joinKeys(configured, context.storedKeys, admin.scim?.unknownUsers === 'refuse'),
    tenancy: createTenancy(loaded.config, context.tenants),
    shared,
    opened: [{ name: 'shared resources', close: release }],
  };
}
