import type { RequestListener } from 'node:http';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { DataApp } from '../../http/app.ts';
import type { AcceptSocket } from '../../http/socket/sockets.ts';
import { recordConfig } from '../../services/metrics/build-info.ts';
import type { ProcessContext } from '../process-context.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { createRefCount, type RefCount } from './ref-count.ts';
import { createSeriesRetirement } from './retired-series.ts';

/** The request listeners that one configuration provides in this process. */
export interface Listeners {
  readonly admin?: RequestListener;
  readonly data?: DataApp;
  /** Resolves when no worker has a request of this configuration any more. */
  readonly released?: () => Promise<void>;
}

/** One configuration that was started in this process, and all that it started. */
export interface Generation extends Pick<Listeners, 'admin'> {
  readonly data?: RequestListener;
  readonly acceptSocket?: AcceptSocket;
  /** The same in all processes of a gateway, and never used twice. */
  readonly number: number;
  readonly loaded: LoadedConfig;
  /** Resolves when its last request has ended and everything that it opened is closed. */
  retire(): Promise<void>;
}

/** Starts what a configuration needs in this process. What it opens, it adds to `runtime.opened`. */
export type StartGeneration = (runtime: Runtime, number: number, refCount: RefCount) => Promise<Listeners>;

/**
 * The configuration generations of a process. One is active; those before it are retiring. A request is served to its
 * end by the generation that was active when it came.
 */
export class Generations {
  readonly #context: ProcessContext;
  readonly #start: StartGeneration;
  readonly #retireSeries: ReturnType<typeof createSeriesRetirement>;
  readonly #retiring = new Set<Promise<void>>();
  #active: Generation | undefined;

  constructor(context: ProcessContext, start: StartGeneration) {
    this.#context = context;
    this.#start = start;
    this.#retireSeries = createSeriesRetirement(context.metrics);
  }

  get active(): Generation | undefined {
    return this.#active;
  }

  /**
   * Starts a generation beside the active one. If it fails, everything that it opened is closed.
   * @throws GatewayError `KOINE_*`
   */
  async prepare(loaded: LoadedConfig, number: number): Promise<Generation> {
    const runtime = await openRuntime(this.#context, loaded);
    const refCount = createRefCount();
    try {
      const { admin, data, released } = await this.#start(runtime, number, refCount);
      return omitUndefined({
        number,
        loaded,
        admin: admin === undefined ? undefined : refCount.listen(admin),
        data: data === undefined ? undefined : refCount.listen(data.listener),
        acceptSocket: data?.acceptSocket,
        retire: async () => {
          await refCount.zero();
          await released?.();
          await this.#close(runtime.opened);
        },
      });
    } catch (thrown) {
      await this.#close(runtime.opened);
      throw thrown;
    }
  }

  /** Sends it every request from now on. Resolves when the generation before it has retired. */
  async activate(generation: Generation): Promise<void> {
    const before = this.#active;
    this.#active = generation;
    const { metrics, overload, readOn, connections, certificates, alerts } = this.#context;
    const { hash, config, certificates: renewed } = generation.loaded;
    recordConfig(metrics, hash);
    this.#retireSeries(config);
    overload.adopt(config.server.overload);
    readOn.adopt(config.server.readOn);
    connections.adopt(config.server);
    alerts.adopt(config.alerts);
    certificates.adopt(renewed);
    if (before !== undefined) await this.#retire(before);
  }

  /** A listener that passes each request to the active generation. @param fallback serves before there is one */
  listener(which: 'admin' | 'data', fallback: RequestListener): RequestListener {
    return (request, response) => (this.#active?.[which] ?? fallback)(request, response);
  }

  /** Lets the active generation decide about upgrades. */
  readonly acceptSocket: AcceptSocket = async (request) => {
    const accept = this.#active?.acceptSocket;
    if (accept === undefined) throw new GatewayError('starting');
    return accept(request);
  };

  /** Retires the active generation and waits for all that are retiring. */
  async close(): Promise<void> {
    if (this.#active !== undefined) void this.#retire(this.#active);
    this.#active = undefined;
    await Promise.all(this.#retiring);
  }

  #retire(generation: Generation): Promise<void> {
    const retired = generation.retire().finally(() => this.#retiring.delete(retired));
    this.#retiring.add(retired);
    return retired;
  }

  async #close(opened: readonly Closable[]): Promise<void> {
    for (const { name, error } of await closeAll(opened))
      this.#context.log.error({ name, error }, 'a resource could not be closed');
  }
}
