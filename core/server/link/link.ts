import type { PrimaryLink } from '../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { withTimeout } from '../../extensions/with-timeout.ts';
import { createBatch } from './batch.ts';
import { restoreError } from './carried-error.ts';
import { decodeText, encodeText } from './json-text.ts';
import type { LinkRequest, LinkResponse } from './messages.ts';

/** The link of a plugin to its primary instance. @param plugin its name after `use:` */
export type LinkPrimary = (plugin: string) => PrimaryLink;

/**
 * Calls the primary instance of a plugin.
 * @param worker number of the process that sends the request; 0 in a gateway without workers
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

/** A link within one process: a plain call. It returns a promise only where the primary instance does. */
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

/** The worker's end of a link. */
export interface LinkClient {
  /** The links of the plugins of a configuration generation. */
  link(generation: number): LinkPrimary;
  /** Settles the requests that these responses belong to. A response that no request waits for is dropped. */
  receive(responses: readonly LinkResponse[]): void;
}

/** A link to the primary process. The requests of one turn are sent in one message; responses come in any order. */
export function createLinkClient(send: (requests: readonly LinkRequest[]) => void): LinkClient {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  const take = (id: number): Pending | undefined => {
    const found = pending.get(id);
    if (found === undefined) return undefined;
    pending.delete(id);
    clearTimeout(found.timer);
    return found;
  };
  const push = createBatch(send);
  return {
    link: (generation) => (plugin) => ({
      call: (message, timeoutMs) =>
        new Promise((resolve, reject) => {
          const text = encodeText(message, `The plugin ${plugin} sent a request`);
          lastId += 1;
          const id = lastId;
          // If this process was too busy to read a response that has arrived, it reads the channel first.
          const timer = setTimeout(() => setImmediate(() => take(id)?.reject(timedOut(plugin, timeoutMs))), timeoutMs);
          pending.set(id, { timer, resolve, reject });
          push({ id, plugin, generation, message: text });
        }),
    }),
    receive: (responses) => {
      for (const response of responses) {
        if ('error' in response) take(response.id)?.reject(restoreError(response.error));
        else take(response.id)?.resolve(decodeText(response.value));
      }
    },
  };
}
