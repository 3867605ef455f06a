import type { Proposals } from '../config/proposals.ts';
import type { LoadedConfig } from '../config/load.ts';
import { closeAll, type Closable } from '../extensions/close.ts';
import { createHealth, type Health } from '../http/health.ts';
import type { Listener } from '../http/connection/listener.ts';
import { drainListener } from './shutdown/drain.ts';
import type { FirstKey } from '../tenancy/first-key.ts';
import type { ProcessContext } from './process-context.ts';
import type { Reloads } from './reload/reloads.ts';

export interface GatewayEnvironment extends Pick<ProcessContext, 'log' | 'clock'> {
  /** Reads the configuration again. Absent: it never changes. @param live the active one */
  readonly load?: (live: LoadedConfig) => Promise<LoadedConfig>;
  /** Absent: nothing can be proposed. */
  readonly proposals?: Proposals;
}

/** The ways to end a gateway. */
export interface Shutdown {
  /**
   * Serves on for `server.drain.delay`, unless it is hurried. Then accepts no new connection, waits for every exchange
   * and closes.
   * @returns false where connections had to be cut
   */
  drain(isHurried: boolean): Promise<boolean>;
  /** Accepts no new connection, waits for every exchange and closes. */
  stop(): Promise<void>;
  /** Cuts every open connection. */
  cut(): void;
}

/** A gateway that serves. */
export interface Gateway extends Shutdown {
  readonly data: Pick<Listener, 'url'>;
  readonly admin: Pick<Listener, 'url'>;
  readonly reloads: Reloads;
  /** The key that this start created because there was none. It is shown once. */
  readonly firstKey: FirstKey | undefined;
  /** Rejects when the gateway can no longer serve; it is stopping by then. */
  readonly failed: Promise<never>;
}

/** A start in progress. */
export interface Startup {
  /** What must be closed at the end, in the order in which it was opened. */
  readonly opened: Closable[];
  readonly health: Health;
  /** Reports not ready from now on, and closes `opened` in reverse order. Further calls return the same promise. */
  stop(): Promise<void>;
}

/** Runs a start. If it fails, everything that it opened is closed. */
export async function runStartup<T>({ log }: GatewayEnvironment, start: (startup: Startup) => Promise<T>): Promise<T> {
  const opened: Closable[] = [];
  const health = createHealth();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    for (const { name, error } of await closeAll(opened)) log.error({ name, error }, 'a resource could not be closed');
  };
  const stop = (): Promise<void> => {
    health.phase = 'draining';
    return (closing ??= close());
  };
  try {
    return await start({ opened, health, stop });
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** The shutdown of a process that has a data listener. */
export function createShutdown(
  data: Listener,
  { readOn, clock }: ProcessContext,
  current: () => LoadedConfig,
  { health, stop }: Startup,
): Shutdown {
  const hurry = new AbortController();
  return {
    drain: async (isHurried) => {
      health.phase = 'draining';
      const { delay, timeout } = current().config.server.drain;
      const deadline = clock.monotonic() + delay + timeout;
      const hasDrained = await drainListener(data, { delay: isHurried ? 0 : delay, timeout, hurry: hurry.signal });
      await readOn.end(Math.max(0, deadline - clock.monotonic()));
      await stop();
      return hasDrained;
    },
    stop,
    cut: () => {
      hurry.abort();
      void readOn.end(0);
      data.cut();
    },
  };
}
