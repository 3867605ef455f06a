import type { AdminRouter, CallDescription } from '../../contracts/admin.ts';
import type { Clock } from '../../contracts/services.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import { addExplainCall } from '../../http/admin/explain.ts';
import { addKeyCalls } from '../../http/admin/keys.ts';
import { count, listOf, objectOf, text, time } from '../../http/admin/schemas.ts';
import { addMeCalls } from '../../http/admin/me/me.ts';
import { addProposalCalls } from '../../http/admin/proposals.ts';
import { addPlaygroundCalls } from '../../http/admin/playground/playground.ts';
import type { LinkPrimary } from '../link/link.ts';
import { build } from '../../services/build.ts';
import { createMetrics } from '../../services/metrics/metrics.ts';
import { createKeyRegister } from '../../tenancy/key-register.ts';
import { PersonalKeys } from '../../tenancy/personal-keys.ts';
import { addConfigCalls } from './config.ts';
import { addTenantCalls } from '../../http/admin/tenants/tenants.ts';
import { TenantRegister } from '../../tenancy/tenants/tenant-register.ts';
import { createTenantTable } from '../../tenancy/tenants/tenant-table.ts';
import { createExplain } from '../explain/explain.ts';
import { findKey } from '../explain/find-key.ts';
import { refuseFetch } from '../explain/refuse-fetch.ts';
import type { WorkerSlot } from '../primary/worker-slot.ts';
import { exitReasons } from '../primary/worker-thread.ts';
import type { Reloads } from '../reload/reloads.ts';
import type { Runtime } from '../runtime.ts';
import { startServing, type Serving } from '../serving/serving.ts';

/**
 * Starts plugin instances that only explain, with the first request to explain. The main thread has no other
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

const createTenantRegister = ({ loaded, database, clock, tenants }: Runtime): TenantRegister =>
  new TenantRegister({
    organizations: loaded.config.organizations,
    table: createTenantTable(database),
    clock,
    // If it fails, the change is read with the next query.
    changed: () => tenants.refresh().catch(() => {}),
  });

/** What limits have less effect on than expected. */
const listWarnings = ({ extensions }: Runtime['loaded']): readonly string[] =>
  extensions.plugins.some(({ definition }) => definition.enforces?.includes('limits') === true)
    ? []
    : ['No plugin of the configuration enforces limits. Add rate-limit to plugins.'];

const describedVersion: CallDescription = {
  summary: 'What runs here: versions, the active configuration, and since when.',
  answer: objectOf({
    version: text,
    commit: text,
    node: text,
    configuration: objectOf({ hash: text, generation: count, loadedAt: time }),
    startedAt: time,
    uptimeSeconds: count,
    workers: count,
  }),
};

/**
 * Adds GET /version, for operators only: the data listener has no such path.
 * @param generation of the configuration: 1 at the start, higher with each successful reload
 */
function addVersionCall(router: AdminRouter, generation: number, reloads: Reloads, clock: Pick<Clock, 'now'>): void {
  const answer = (): object => {
    const { live, loadedAt } = reloads;
    const uptime = process.uptime();
    return {
      ...build,
      configuration: { hash: live.hash, generation, loadedAt: new Date(loadedAt).toISOString() },
      startedAt: new Date(clock.now() - uptime * 1_000).toISOString(),
      uptimeSeconds: Math.floor(uptime),
      workers: live.config.server.workers,
    };
  };
  router.get('/version', () => ({ body: answer() }), describedVersion);
}

const describedWorkers: CallDescription = {
  summary: 'The worker threads: which serve, and why others do not. Empty when one thread serves everything.',
  answer: objectOf({
    workers: listOf(
      objectOf(
        {
          worker: count,
          state: { enum: ['starting', 'serving', 'waiting'] },
          since: time,
          failedStarts: count,
          lastExit: objectOf({
            at: time,
            code: count,
            reason: { enum: exitReasons },
            error: text,
          }),
          nextStart: time,
        },
        ['state', 'since', 'failedStarts'],
      ),
    ),
  }),
};

/** Adds GET /admin/workers: docs/reference/admin.md. */
const addWorkersCall = (router: AdminRouter, slots: readonly WorkerSlot[]): void =>
  router.get('/admin/workers', () => ({ body: { workers: slots.map((slot) => slot.describe()) } }), describedWorkers);

/** Adds the admin calls of the core: docs/reference/admin.md. */
export function addCoreCalls(
  router: AdminRouter,
  runtime: Runtime,
  generation: number,
  link: LinkPrimary,
  reloads: Reloads,
  slots: readonly WorkerSlot[],
): void {
  const { loaded, table, clock, ownRequests, tenants } = runtime;
  const { config } = loaded;
  const register = createKeyRegister({ config, table, clock, tenants });
  addKeyCalls(router, register, clock);
  addTenantCalls(router, createTenantRegister(runtime), () => listWarnings(loaded));
  const { personalKeys: rules } = config.admin;
  const models = [...Object.keys(config.models), ...Object.keys(config.aliases)];
  const server = {
    /** `server.port` can be 0, and an option of the command. */
    get port(): number {
      return ownRequests.url === undefined ? config.server.port : Number(new URL(ownRequests.url).port);
    },
    tls: config.server.tls !== undefined,
  };
  const keys = rules && new PersonalKeys({ config, rules, table, register, clock });
  addMeCalls(router, rules && keys && { rules, keys, models, server });
  addPlaygroundCalls(router, {
    routes: config.routes,
    models,
    listOwn: async (owner) => (await keys?.list(owner)) ?? [],
    findKey: (selector) => findKey({ organizations: config.organizations, table, clock }, selector),
    send: (caller, path, body) => ownRequests.send(caller, path, body),
    now: clock.now,
  });
  addExplainCall(router, createExplain(runtime, createStartOnce(runtime, link)));
  addConfigCalls(router, reloads);
  addProposalCalls(router, reloads.proposals);
  addVersionCall(router, generation, reloads, clock);
  addWorkersCall(router, slots);
}
