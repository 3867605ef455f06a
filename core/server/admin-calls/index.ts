import type { AdminRouter } from '../../contracts/admin.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import { addExplainCall } from '../../http/admin/explain.ts';
import { addKeyCalls } from '../../http/admin/keys.ts';
import type { LinkPrimary } from '../link/link.ts';
import { createMetrics } from '../../services/metrics/metrics.ts';
import { createKeyRegister } from '../../tenancy/key-register.ts';
import { addConfigCalls } from './config.ts';
import { createExplain } from '../explain/explain.ts';
import { fetchNothing } from '../explain/fetch-nothing.ts';
import type { Reloads } from '../reload/reloads.ts';
import type { Runtime } from '../runtime.ts';
import { startServing, type Serving } from '../serving.ts';
import { addVersionCall } from './version.ts';

/**
 * Plugins explain in a set of instances of their own, which serves nobody and is started by the first question: the process of this listener may
 * have no other (its workers serve), and what counts for all of them is asked of the primary instances, which are here. What they count of themselves
 * nobody sees.
 */
const startOnce = (runtime: Runtime, link: LinkPrimary): (() => Promise<Serving>) => {
  const opened: Closable[] = [];
  let serving: Promise<Serving> | undefined;
  runtime.opened.push({ name: 'what explains', close: () => closeAll(opened) });
  return () => {
    serving ??= startServing({ ...runtime, opened, metrics: createMetrics() }, link, { fetch: fetchNothing }).catch(
      async (thrown: unknown) => {
        serving = undefined;
        await closeAll(opened.splice(0));
        throw thrown;
      },
    );
    return serving;
  };
};

/**
 * What the core itself answers on the admin listener: docs/admin.md.
 * @param generation of the configuration
 */
export function addCoreCalls(
  router: AdminRouter,
  runtime: Runtime,
  generation: number,
  link: LinkPrimary,
  reloads: Reloads,
): void {
  const { loaded, table, clock } = runtime;
  addKeyCalls(router, createKeyRegister({ config: loaded.config, table, clock }));
  addExplainCall(router, createExplain(runtime, startOnce(runtime, link)));
  addConfigCalls(router, reloads);
  addVersionCall(router, generation, reloads, clock);
}
