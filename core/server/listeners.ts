import { hash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { LoadedConfig } from '../config/load.ts';
import type { AdminRouter } from '../contracts/admin.ts';
import type { Closable } from '../extensions/close.ts';
import { createAdminApp } from '../http/admin/app.ts';
import { createSessions } from '../http/admin/sessions.ts';
import { createDataApp } from '../http/app.ts';
import type { Health } from '../http/health.ts';
import { listen, type Listener, type ListenEvents } from '../http/connection/listener.ts';
import type { LinkPrimary } from './link/link.ts';
import { addCoreCalls } from './admin-calls/index.ts';
import type { InstanceRegistry } from './primary/instance-registry.ts';
import type { ProcessContext } from './process-context.ts';
import { keepPrices } from './reload/keep-prices.ts';
import type { Reloads } from './reload/reloads.ts';
import type { Runtime } from './runtime.ts';
import { startServing } from './serving.ts';
import type { RefCount } from './reload/ref-count.ts';

const listenEvents = ({ log, overload }: ProcessContext): ListenEvents => ({
  refused: () => overload.refuseConnection('connections'),
  failed: (error) => log.error({ error }, 'a connection could not be accepted'),
});

/** How long who looks at the admin listener may take to finish. */
const ADMIN_GOODBYE_MS = 2_000;

/** From before there is anything to manage: who waits for the start asks for its health. */
export async function openAdmin(
  context: ProcessContext,
  { config: { admin } }: LoadedConfig,
  listener: RequestListener,
  opened: Closable[],
): Promise<Listener> {
  const opening = await listen(listener, admin, listenEvents(context));
  const close = async (): Promise<void> => {
    const timer = setTimeout(opening.cut, ADMIN_GOODBYE_MS);
    await opening.drain();
    clearTimeout(timer);
  };
  opened.push({ name: 'admin listener', close });
  return opening;
}

export async function openData(
  context: ProcessContext,
  { config: { server } }: LoadedConfig,
  listener: RequestListener,
  opened: Closable[],
): Promise<Listener> {
  const { connections, overload } = context;
  const admit = (socket: Socket): boolean => {
    const admitted = connections.admit(socket);
    if (!admitted) overload.refuseConnection('connections_per_address');
    return admitted;
  };
  const data = await listen(listener, server, { ...listenEvents(context), admit });
  // Closed in reverse order: once no connection is left.
  opened.push(
    { name: 'calls that are read on', close: () => context.readOn.end(0) },
    { name: 'data listener', close: data.drain },
  );
  return data;
}

/** Starts the primary instances of a generation, and what manages it. */
export async function startAdmin(
  runtime: Runtime,
  number: number,
  registry: InstanceRegistry,
  health: Health,
  reloads: Reloads,
): Promise<RequestListener> {
  await keepPrices(runtime);
  const { admin } = await registry.start(runtime, number);
  const fill = (routerOf: (owner: string) => AdminRouter): void => {
    addCoreCalls(routerOf('the core'), runtime, number, registry.link(number), reloads);
    admin(routerOf);
  };
  const { loaded, clock, log, keep } = runtime;
  const { admin: config } = loaded.config;
  // With another token all sign in anew.
  const sessions = keep(`core/admin-sessions/${hash('sha256', config.token ?? '')}`, () => createSessions(clock));
  return createAdminApp({ config, health, log, clock, sessions, fill });
}

/** Starts what serves the clients of a generation. */
export async function startData(
  runtime: Runtime,
  link: LinkPrimary,
  health: Health,
  refCount: RefCount,
): Promise<RequestListener> {
  return createDataApp({ ...(await startServing(runtime, link, { refCount })), health });
}
