import type { AdminRouter } from '../../contracts/admin.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import { addExplainCall } from '../../http/admin/explain.ts';
import { addKeyCalls } from '../../http/admin/keys.ts';
import { addMeCalls } from '../../http/admin/me/me.ts';
import type { LinkPrimary } from '../link/link.ts';
import { createMetrics } from '../../services/metrics/metrics.ts';
import { createKeyRegister } from '../../tenancy/key-register.ts';
import { PersonalKeys } from '../../tenancy/personal-keys.ts';
import { addConfigCalls } from './config.ts';
import { createExplain } from '../explain/explain.ts';
import { refuseFetch } from '../explain/refuse-fetch.ts';
import type { WorkerSlot } from '../primary/worker-slot.ts';
import type { Reloads } from '../reload/reloads.ts';
import type { Runtime } from '../runtime.ts';
import { startServing, type Serving } from '../serving/serving.ts';
import { addVersionCall } from './version.ts';
import { addWorkersCall } from './workers.ts';

/**
 * Starts plugin instances that only explain, with the first request to explain. The primary process has no other
 * instances: its workers serve. Counts of the whole gateway come from the primary instances, which run here; metrics of
 * these instances are not exposed.
 */
const createStartOnce = (runtime: Runtime, link: LinkPrimary): (() => Promise<Serving>) => {
  const opened: Closable[] = [];
  let serving: Promise<Serving> | undefined;
  runtime.opened.push({ name: 'instances that explain', close: () => closeAll(opened) });
  return () => {
    serving ??= startServing({ ...runtime, opened, metrics: createMetrics() }, link, { fetch: refuseFetch }).catch(
      async (thrown: unknown) => {
        serving = undefined;
        await closeAll(opened.splice(0));
        throw thrown;
      },
    );
    return serving;
  };
};

/** Adds the admin calls of the core: docs/reference/admin.md. */
export function addCoreCalls(
  router: AdminRouter,
  runtime: Runtime,
  generation: number,
  link: LinkPrimary,
  reloads: Reloads,
  slots: readonly WorkerSlot[],
): void {
  const { loaded, table, clock } = runtime;
  const { config } = loaded;
  const register = createKeyRegister({ config, table, clock });
  addKeyCalls(router, register, clock);
  const { personalKeys: rules } = config.admin;
  addMeCalls(router, rules && { rules, keys: new PersonalKeys({ config, rules, table, register, clock }) });
  addExplainCall(router, createExplain(runtime, createStartOnce(runtime, link)));
  addConfigCalls(router, reloads);
  addVersionCall(router, generation, reloads, clock);
  addWorkersCall(router, slots);
}
