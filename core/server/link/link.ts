import { MessagePort } from 'node:worker_threads';
import type { PrimaryLink } from '../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { withTimeout } from '../../extensions/with-timeout.ts';
import { carryError, restoreError } from './carried-error.ts';
import type { LinkRequest, LinkResponse } from './messages.ts';

/** The link of a plugin to its primary instance. @param plugin its name after `use:` */
export type LinkPrimary = (plugin: string) => PrimaryLink;

/**
 * Calls the primary instance of a plugin.
 * @param worker number of the worker that sends the request; 0 in a gateway without workers
 * @param generation number of the configuration generation that sends it
 */
export type HandleRequest = (plugin: string, message: unknown, worker: number, generation: number) => unknown;

const timedOut = (plugin: string, timeoutMs: number): GatewayError =>
  new GatewayError(
    'internal_error',
    `The primary instance of the plugin ${plugin} did not respond within ${timeoutMs} ms.`,
    { failure: 'timeout' },
  );

const waitFor = async (plugin: string, response: Promise<unknown>, timeoutMs: number): Promise<unknown> => {
  try {
    return await withTimeout(response, timeoutMs, () => timedOut(plugin, timeoutMs));
  } catch (thrown) {
    throw toGatewayError(thrown);
  }
};

/** A link within one thread: a plain call. It returns a promise only where the primary instance does. */
export const createLocalLink =
  (handle: HandleRequest, generation: number): LinkPrimary =>
  (plugin) => ({
    call: (message, timeoutMs) => {
      let response: unknown;
      try {
        response = handle(plugin, message, 0, generation);
      } catch (thrown) {
        throw toGatewayError(thrown);
      }
      return response instanceof Promise ? waitFor(plugin, response, timeoutMs) : response;
    },
  });

interface Pending {
  readonly timer: NodeJS.Timeout;
  resolve(value: unknown): void;
  reject(error: GatewayError): void;
}

/** @param whose the beginning of the sentence: what has the value */
const describeUncloneable = (whose: string, cause: unknown): string =>
  `${whose} that cannot be passed between threads: ${cause instanceof Error ? cause.message : String(cause)}`;

/** The worker's end of a link. */
export interface LinkClient {
  /** The links of the plugins of a configuration generation. */
  link(generation: number): LinkPrimary;
  /** Settles the request that this response belongs to. A response that no request waits for is dropped. */
  receive(response: LinkResponse): void;
}

/** A link to the main thread. Responses come in any order. @param send throws where a message cannot be cloned */
export function createLinkClient(send: (request: LinkRequest) => void): LinkClient {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  const take = (id: number): Pending | undefined => {
    const found = pending.get(id);
    if (found === undefined) return undefined;
    pending.delete(id);
    clearTimeout(found.timer);
    return found;
  };
  const post = (request: LinkRequest): void => {
    try {
      send(request);
    } catch (cause) {
      const whose = `The plugin ${request.plugin} sent a request`;
      throw new GatewayError('internal_error', describeUncloneable(whose, cause), { cause });
    }
  };
  return {
    link: (generation) => (plugin) => ({
      call: (message, timeoutMs) =>
        new Promise((resolve, reject) => {
          const id = (lastId += 1);
          post({ id, plugin, generation, message });
          // If this thread was too busy to read a response that has arrived, it reads its port first.
          const timer = setTimeout(() => setImmediate(() => take(id)?.reject(timedOut(plugin, timeoutMs))), timeoutMs);
          pending.set(id, { timer, resolve, reject });
        }),
    }),
    receive: (response) => {
      if ('error' in response) take(response.id)?.reject(restoreError(response.error));
      else take(response.id)?.resolve(response.value);
    },
  };
}

/** Sends a response, with what is moved to the worker instead of cloned. @throws where it cannot be cloned */
type SendResponse = (response: LinkResponse, moved: readonly MessagePort[]) => void;

/**
 * The main thread's end of a link, one for each worker. A response that is ready at once is sent without a promise.
 * @returns receives a request of the worker
 */
export const createLinkServer =
  (handle: HandleRequest, worker: number, send: SendResponse): ((request: LinkRequest) => void) =>
  ({ id, plugin, generation, message }) => {
    const reject = (thrown: unknown): void => send({ id, error: carryError(thrown) }, []);
    const resolve = (value: unknown): void => {
      try {
        send({ id, value }, value instanceof MessagePort ? [value] : []);
      } catch (cause) {
        const whose = `The primary instance of the plugin ${plugin} returned a response`;
        reject(new GatewayError('internal_error', describeUncloneable(whose, cause), { cause }));
      }
    };
    try {
      const value = handle(plugin, message, worker, generation);
      if (value instanceof Promise) value.then(resolve, reject);
      else resolve(value);
    } catch (thrown) {
      reject(thrown);
    }
  };
