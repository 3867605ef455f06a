import type { PrimaryLink } from '../../contracts/services.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { withTimeout } from '../../extensions/with-timeout.ts';
import { createBatch } from './batch.ts';
import { restoreError } from './carried-error.ts';
import { decodeText, encodeText } from './json-text.ts';
import type { Answer, Ask } from './messages.ts';

/** How plugins reach their primary instances: by the name after `use:`. */
export type LinkPrimary = (plugin: string) => PrimaryLink;
/** What the primary instance of a plugin answers to who runs a generation of the configuration. The one process of a gateway without workers is number 0. */
export type AnswerAsk = (plugin: string, message: unknown, worker: number, generation: number) => unknown;

const noAnswer = (plugin: string, timeoutMs: number): GatewayError =>
  new GatewayError(
    'internal_error',
    `The primary instance of the plugin ${plugin} did not answer within ${timeoutMs} ms.`,
  );

/** Waits for an instance that answers with a promise. */
const waitFor = async (plugin: string, answered: Promise<unknown>, timeoutMs: number): Promise<unknown> => {
  try {
    return await withTimeout(answered, timeoutMs, () => noAnswer(plugin, timeoutMs));
  } catch (thrown) {
    throw toGatewayError(thrown);
  }
};

/** Both instances are in this process: asking is a call, and only a promise is waited for. */
export const linkHere =
  (answer: AnswerAsk, generation: number): LinkPrimary =>
  (plugin) => ({
    ask: (message, timeoutMs) => {
      let answered: unknown;
      try {
        answered = answer(plugin, message, 0, generation);
      } catch (thrown) {
        throw toGatewayError(thrown);
      }
      return answered instanceof Promise ? waitFor(plugin, answered, timeoutMs) : answered;
    },
  });

interface Pending {
  readonly timer: NodeJS.Timeout;
  resolve(value: unknown): void;
  reject(error: GatewayError): void;
}

/** The end of a link in a worker. */
export interface WorkerLink {
  /** Of a generation of the configuration. */
  link(generation: number): LinkPrimary;
  /** Hands over what the primary answered. Answers that nobody waits for any more are dropped. */
  receive(answers: readonly Answer[]): void;
}

/** The instance is in the primary process: questions of one turn travel in one message, answers come in any order. */
export function createWorkerLink(send: (asks: readonly Ask[]) => void): WorkerLink {
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
      ask: (message, timeoutMs) =>
        new Promise((resolve, reject) => {
          const text = encodeText(message, `The plugin ${plugin} asked`);
          lastId += 1;
          const id = lastId;
          // Where this process was too busy to read an answer that has come, what lies in the channel is read first.
          const timer = setTimeout(() => setImmediate(() => take(id)?.reject(noAnswer(plugin, timeoutMs))), timeoutMs);
          pending.set(id, { timer, resolve, reject });
          push({ id, plugin, generation, message: text });
        }),
    }),
    receive: (answers) => {
      for (const answer of answers) {
        if ('error' in answer) take(answer.id)?.reject(restoreError(answer.error));
        else take(answer.id)?.resolve(decodeText(answer.value));
      }
    },
  };
}
