import type { LoadedConfig } from '../config/load.ts';
import type { KeyDirectory, Services, Tenancy } from '../contracts/services.ts';
import type { Closable } from '../extensions/close.ts';
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

export function openRuntime(context: ProcessContext, loaded: LoadedConfig): Runtime {
  const { organizations, admin } = loaded.config;
  const { shared, release } = context.sharedResources.createHolder();
  return {
    ...context,
    loaded,
    keys: joinKeys(organizations, context.storedKeys, admin.scim?.unknownUsers === 'refuse'),
    tenancy: createTenancy(loaded.config),
    shared,
    opened: [{ name: 'shared resources', close: release }],
  };
}
