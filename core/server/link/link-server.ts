import { MessagePort } from 'node:worker_threads';
import { GatewayError } from '../../errors/gateway-error.ts';
import { carryError } from './carried-error.ts';
import { describeUncloneable, type HandleRequest } from './link.ts';
import type { LinkRequest, LinkResponse } from './messages.ts';

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
