import { GatewayError } from '../errors.ts';
import { createBatch } from './batch.ts';
import { carryError } from './carried-error.ts';
import type { AnswerAsk } from './link.ts';
import type { Answer, Ask } from './messages.ts';

/**
 * The end of a link in the primary process, one for each worker. A half that answers at once is answered for without a promise.
 * @param send throws where the answers are not JSON
 * @returns takes what the worker asked
 */
export const createAnswerer = (answer: AnswerAsk, worker: number, send: (answers: readonly Answer[]) => void): ((asks: readonly Ask[]) => void) => {
  const push = createBatch(send, ({ id }, error) => {
    const why = error instanceof Error ? error.message : String(error);
    send([{ id, error: carryError(new GatewayError('internal_error', `The primary half of a plugin answered with something that is not JSON: ${why}`)) }]);
  });
  return (asks) => {
    for (const { id, plugin, message } of asks) {
      const refuse = (thrown: unknown): void => push({ id, error: carryError(thrown) });
      try {
        const value = answer(plugin, message, worker);
        if (value instanceof Promise) value.then((late: unknown) => push({ id, value: late }), refuse);
        else push({ id, value });
      } catch (thrown) {
        refuse(thrown);
      }
    }
  };
};
