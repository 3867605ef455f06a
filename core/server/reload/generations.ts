import type { RequestListener } from 'node:http';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import { recordConfig } from '../../services/metrics/build-info.ts';
import { watchDepartures } from './retired-series.ts';
import type { House } from '../process-context.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { countUse, type Use } from './ref-count.ts';

/** What one configuration puts before the listeners of a process. */
export interface Faces {
  readonly admin?: RequestListener;
  readonly data?: RequestListener;
  /** Resolves when other processes have no request for it any more. */
  readonly over?: () => Promise<void>;
}

/** One configuration that was started in this process. */
export interface Edition extends Omit<Faces, 'over'> {
  /** The same in all processes of a gateway, and never used twice. */
  readonly number: number;
  readonly loaded: LoadedConfig;
  /** Resolves when its last request is over, and what it had opened is closed. */
  retire(): Promise<void>;
}

/** Starts all that a configuration needs here; what it opens it notes in the runtime. */
export type StartEdition = (runtime: Runtime, number: number, use: Use) => Promise<Faces>;

/** One configuration after the other, behind the same listeners. */
export interface Editions {
  readonly current: Edition | undefined;
  /** Starts one beside that in force. Where it fails, nothing of it is left. @throws GatewayError `KOINE_*` */
  prepare(loaded: LoadedConfig, number: number): Promise<Edition>;
  /** Every request that comes from now on is its own. Resolves when the one before has retired. */
  enforce(edition: Edition): Promise<void>;
  /** What answers a listener: always the edition in force. */
  face(which: 'admin' | 'data', meanwhile: RequestListener): RequestListener;
  /** Retires that in force, and waits for those before it. */
  close(): Promise<void>;
}

export function createEditions(house: House, start: StartEdition): Editions {
  let current: Edition | undefined;
  const leaving = new Set<Promise<void>>();
  const noteDepartures = watchDepartures(house.metrics);

  const close = async (opened: readonly Closable[]): Promise<void> => {
    for (const { name, error } of await closeAll(opened)) house.log.error({ name, error }, 'something failed to close');
  };
  const leave = (edition: Edition): Promise<void> => {
    const left = edition.retire().finally(() => leaving.delete(left));
    leaving.add(left);
    return left;
  };
  return {
    get current() {
      return current;
    },
    prepare: async (loaded, number) => {
      const runtime = openRuntime(house, loaded);
      const use = countUse();
      try {
        const { admin, data, over } = await start(runtime, number, use);
        return omitUndefined({
          number,
          loaded,
          admin: admin === undefined ? undefined : use.listen(admin),
          data: data === undefined ? undefined : use.listen(data),
          retire: async () => {
            await use.over();
            await over?.();
            await close(runtime.opened);
          },
        });
      } catch (thrown) {
        await close(runtime.opened);
        throw thrown;
      }
    },
    enforce: async (edition) => {
      const before = current;
      current = edition;
      const { hash, config } = edition.loaded;
      recordConfig(house.metrics, hash);
      noteDepartures(config);
      house.overload.adopt(config.server.overload);
      house.readOn.adopt(config.server.readOn);
      house.connections.adopt(config.server);
      if (before !== undefined) await leave(before);
    },
    face: (which, meanwhile) => (request, response) => (current?.[which] ?? meanwhile)(request, response),
    close: async () => {
      if (current !== undefined) void leave(current);
      current = undefined;
      await Promise.all(leaving);
    },
  };
}
