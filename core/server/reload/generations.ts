import type { RequestListener } from 'node:http';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import { recordConfig } from '../../services/metrics/build-info.ts';
import { watchRetiredSeries } from './retired-series.ts';
import type { ProcessContext } from '../process-context.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { createRefCount, type RefCount } from './ref-count.ts';

/** What one configuration puts before the listeners of a process. */
export interface Listeners {
  readonly admin?: RequestListener;
  readonly data?: RequestListener;
  /** Resolves when other processes have no request for it any more. */
  readonly over?: () => Promise<void>;
}

/** One configuration that was started in this process. */
export interface Generation extends Omit<Listeners, 'over'> {
  /** The same in all processes of a gateway, and never used twice. */
  readonly number: number;
  readonly loaded: LoadedConfig;
  /** Resolves when its last request is over, and what it had opened is closed. */
  retire(): Promise<void>;
}

/** Starts all that a configuration needs here; what it opens it notes in the runtime. */
export type StartGeneration = (runtime: Runtime, number: number, refCount: RefCount) => Promise<Listeners>;

/** One configuration after the other, behind the same listeners. */
export interface Generations {
  readonly current: Generation | undefined;
  /** Starts one beside that in force. Where it fails, nothing of it is left. @throws GatewayError `KOINE_*` */
  prepare(loaded: LoadedConfig, number: number): Promise<Generation>;
  /** Every request that comes from now on is its own. Resolves when the one before has retired. */
  enforce(generation: Generation): Promise<void>;
  /** What answers a listener: always the generation in force. */
  listener(which: 'admin' | 'data', meanwhile: RequestListener): RequestListener;
  /** Retires that in force, and waits for those before it. */
  close(): Promise<void>;
}

export function createGenerations(context: ProcessContext, start: StartGeneration): Generations {
  let current: Generation | undefined;
  const leaving = new Set<Promise<void>>();
  const retireSeries = watchRetiredSeries(context.metrics);

  const close = async (opened: readonly Closable[]): Promise<void> => {
    for (const { name, error } of await closeAll(opened))
      context.log.error({ name, error }, 'something failed to close');
  };
  const leave = (generation: Generation): Promise<void> => {
    const left = generation.retire().finally(() => leaving.delete(left));
    leaving.add(left);
    return left;
  };
  return {
    get current() {
      return current;
    },
    prepare: async (loaded, number) => {
      const runtime = openRuntime(context, loaded);
      const refCount = createRefCount();
      try {
        const { admin, data, over } = await start(runtime, number, refCount);
        return omitUndefined({
          number,
          loaded,
          admin: admin === undefined ? undefined : refCount.listen(admin),
          data: data === undefined ? undefined : refCount.listen(data),
          retire: async () => {
            await refCount.over();
            await over?.();
            await close(runtime.opened);
          },
        });
      } catch (thrown) {
        await close(runtime.opened);
        throw thrown;
      }
    },
    enforce: async (generation) => {
      const before = current;
      current = generation;
      const { hash, config } = generation.loaded;
      recordConfig(context.metrics, hash);
      retireSeries(config);
      context.overload.adopt(config.server.overload);
      context.readOn.adopt(config.server.readOn);
      context.connections.adopt(config.server);
      if (before !== undefined) await leave(before);
    },
    listener: (which, meanwhile) => (request, response) => (current?.[which] ?? meanwhile)(request, response),
    close: async () => {
      if (current !== undefined) void leave(current);
      current = undefined;
      await Promise.all(leaving);
    },
  };
}
