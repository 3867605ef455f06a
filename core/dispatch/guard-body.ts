import type { PlainBody } from './content-coding.ts';
import { describeFault } from './transport-fault.ts';

/**
 * The body's chunks, with faults in the gateway's words. Stopping early (`return`) drops the connection at once: the stream's own iterator
 * would wait for the next chunk first.
 */
export const guardBody = ({ stream, count }: PlainBody, signal: AbortSignal): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
    // A body that is dropped tells of it by an event, which nobody else listens to.
    stream.on('error', () => {});
    const counted = (result: IteratorResult<Uint8Array>): IteratorResult<Uint8Array> => {
      if (result.done !== true) count(result.value.byteLength);
      return result;
    };
    const fail = (thrown: unknown): never => {
      stream.destroy();
      throw describeFault(thrown, signal);
    };
    return {
      next: () => chunks.next().then(counted).catch(fail),
      return: () => {
        stream.destroy();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  },
});
