import { createBatch } from './batch.ts';
import { carryError } from './carried-error.ts';
import { decodeText, encodeText } from './json-text.ts';
import type { AnswerAsk } from './link.ts';
import type { Answer, Ask } from './messages.ts';

/**
 * The end of a link in the primary process, one for each worker. An instance that answers at once is answered for without a promise.
 * @returns takes what the worker asked
 */
export function createAnswerer(
  answer: AnswerAsk,
  worker: number,
  send: (answers: readonly Answer[]) => void,
): (asks: readonly Ask[]) => void {
  const push = createBatch(send);
  return (asks) => {
    for (const { id, plugin, generation, message } of asks) {
      const accept = (value: unknown): void =>
        push({ id, value: encodeText(value, `The primary instance of the plugin ${plugin} answered`) });
      const refuse = (thrown: unknown): void => push({ id, error: carryError(thrown) });
      try {
        const value = answer(plugin, decodeText(message), worker, generation);
        if (value instanceof Promise) value.then(accept).catch(refuse);
        else accept(value);
      } catch (thrown) {
        refuse(thrown);
      }
    }
  };
}
