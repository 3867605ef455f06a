import type { LoadedConfig } from '../config/load.ts';
import type { KeyDirectory, Services, Tenancy } from '../contracts/services.ts';
import type { Closable } from '../extensions/close.ts';
import { joinKeys } from '../tenancy/directory.ts';
import { createTenancy } from '../tenancy/scopes.ts';
import type { ProcessContext } from './process-context.ts';

/** One configuration in this process, and all that it starts. */
export interface Runtime extends ProcessContext {
  readonly loaded: LoadedConfig;
  readonly keys: KeyDirectory;
  readonly tenancy: Tenancy;
  /** What outlives this configuration where the next one wants it as well. */
  readonly keep: Services['keep'];
  /** What it has opened, and closes after its last request: never what belongs to the process. */
  readonly opened: Closable[];
}

export function openRuntime(context: ProcessContext, loaded: LoadedConfig): Runtime {
  const { keep, release } = context.keeper.hold();
  return {
    ...context,
    loaded,
    keys: joinKeys(loaded.config.organizations, context.storedKeys),
    tenancy: createTenancy(loaded.config),
    keep,
    opened: [{ name: 'kept values', close: release }],
  };
}
