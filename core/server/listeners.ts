import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { LoadedConfig } from '../config/load.ts';
import type { AdminRouter } from '../contracts/admin.ts';
import type { Closable } from '../extensions/close.ts';
import { addAuditCall } from '../http/admin/audit/list-call.ts';
import { AuditLog } from '../http/admin/audit/audit-log.ts';
import { createAdminApp } from '../http/admin/app.ts';
import { addSessionCalls } from '../http/admin/login/session-calls.ts';
import { createDataApp, type DataApp } from '../http/app.ts';
import { listen, type Listener, type ListenEvents } from '../http/connection/listener.ts';
import type { Health } from '../http/health.ts';
import { addCoreCalls } from './admin-calls/index.ts';
import { createSignIn } from './admin-calls/provisioning.ts';
import type { LinkPrimary } from './link/link.ts';
import { adviceOn } from '../services/redis/describe-problem.ts';
import { CORE, type InstanceRegistry } from './primary/primary-instances.ts';
import type { WorkerSlot } from './primary/worker-slot.ts';
import type { ProcessContext } from './process-context.ts';
import type { Generations } from './reload/generations.ts';
import type { RefCount } from './reload/ref-count.ts';
import type { Reloads } from './reload/reloads.ts';
import type { Runtime } from './runtime.ts';
import { startServing } from './serving/serving.ts';

const listenEvents = ({ log, overload }: ProcessContext): ListenEvents => ({
  refused: () => overload.refuseConnection('connections'),
  failed: (error) => log.error({ error }, 'a connection could not be accepted'),
});

/** How long open admin connections may take to end. */
const ADMIN_DRAIN_MS = 2_000;

/** Opens the admin listener, first of all listeners: `/livez` and `/readyz` answer during startup. */
export async function openAdmin(
  context: ProcessContext,
  { config }: LoadedConfig,
  requestListener: RequestListener,
  opened: Closable[],
): Promise<Listener> {
  const admin = await listen(
    requestListener,
    { ...config.admin, tls: context.certificates.of('admin') },
    listenEvents(context),
  );
  context.certificates.serve('admin', admin.renew);
  const close = async (): Promise<void> => {
    const timer = setTimeout(admin.cut, ADMIN_DRAIN_MS);
    await admin.drain();
    clearTimeout(timer);
  };
  opened.push({ name: 'admin listener', close });
  return admin;
}

/** @param reusePort other threads listen on the same port */
export async function openData(
  context: ProcessContext,
  { config: { server } }: LoadedConfig,
  generations: Pick<Generations, 'listener' | 'acceptSocket'>,
  waiting: RequestListener,
  opened: Closable[],
  reusePort = false,
): Promise<Listener> {
  const { connections, overload } = context;
  const admit = (socket: Socket): boolean => {
    const refusedFor = connections.admit(socket);
    if (refusedFor !== undefined) overload.refuseConnection(refusedFor);
    return refusedFor === undefined;
  };
  const data = await listen(
    generations.listener('data', waiting),
    { ...server, reusePort, tls: context.certificates.of('server') },
    { ...listenEvents(context), admit, ...(server.websocket ? { acceptSocket: generations.acceptSocket } : {}) },
  );
  context.certificates.serve('server', data.renew);
  // Closed in reverse order: the calls end once no connection is left.
  opened.push(
    { name: 'calls that are read to their end', close: () => context.readOn.end(0) },
    { name: 'data listener', close: data.drain },
  );
  return data;
}

/** Starts the primary instances of a configuration generation, and the admin app that serves their calls. */
export async function startAdmin(
  runtime: Runtime,
  generation: number,
  registry: InstanceRegistry,
  health: Health,
  reloads: Reloads,
  slots: readonly WorkerSlot[] = [],
): Promise<RequestListener> {
  const instances = await registry.start(runtime, generation);
  const { loaded, clock, log, shared, database, redis } = runtime;
  const { admin: config } = loaded.config;
  const { auditRetention } = config;
  const audit = shared(
    `core/audit-log/${auditRetention}`,
    () => new AuditLog(database, clock, log, auditRetention),
    (unused) => unused.writeFailures(),
  );
  const signIn = createSignIn(runtime);
  const fill = (routerOf: (owner: string) => AdminRouter): void => {
    const router = routerOf(CORE);
    addCoreCalls(router, runtime, generation, registry.link(generation), reloads, slots);
    addAuditCall(router, audit);
    addSessionCalls(router, signIn.sessions);
    instances.addAdmin(routerOf);
  };
  const describeRedis = (): string | undefined => redis?.problem && adviceOn(redis.problem);
  return createAdminApp({ config, health, describeRedis, log, clock, ...signIn, audit, fill });
}

/** Starts the data app of a configuration generation. */
export async function startData(
  runtime: Runtime,
  link: LinkPrimary,
  health: Health,
  refCount: RefCount,
): Promise<DataApp> {
  const serving = await startServing(runtime, link, { refCount });
  const { background } = serving;
  background.start();
  runtime.opened.push({ name: 'background responses', close: () => background.close() });
  return createDataApp({ ...serving, health });
}
