import { createBatch } from './batch.ts';
import { carryError } from './carried-error.ts';
import { decodeText, encodeText } from './json-text.ts';
import type { HandleRequest } from './link.ts';
import type { LinkRequest, LinkResponse } from './messages.ts';

/**
 * The primary's end of a link, one for each worker. A response that is ready at once is sent without a promise.
 * @returns receives the requests of the worker
 */
export function createLinkServer(
  handle: HandleRequest,
  worker: number,
  send: (responses: readonly LinkResponse[]) => void,
): (requests: readonly LinkRequest[]) => void {
  const push = createBatch(send);
  return (requests) => {
    for (const { id, plugin, generation, message } of requests) {
      const resolve = (value: unknown): void =>
        push({ id, value: encodeText(value, `The primary instance of the plugin ${plugin} returned a response`) });
      const reject = (thrown: unknown): void => push({ id, error: carryError(thrown) });
      try {
        const value = handle(plugin, decodeText(message), worker, generation);
        if (value instanceof Promise) value.then(resolve).catch(reject);
        else resolve(value);
      } catch (thrown) {
        reject(thrown);
      }
    }
  };
}
