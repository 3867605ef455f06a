import cluster from 'node:cluster';
import type { GatewayError } from '../errors.ts';
import { createAnswerer } from './answerer.ts';
import { restoreError } from './carried-error.ts';
import type { AnswerAsk } from './link.ts';
import { isOurs, type FromPrimary, type FromWorker } from './messages.ts';
import { watchOffers } from './offered-connection.ts';

/** How a worker ended. */
export interface Death {
  readonly code: number | null;
  readonly signal: string | null;
  /** Its own words, where it could not start. */
  readonly reason: GatewayError | undefined;
}

export interface WorkerEvents {
  readonly serving: (url: string) => void;
  /** Its process has ended and its last message has been read: it holds nothing any more. */
  readonly gone: (death: Death) => void;
}

/** A worker as the primary process sees it. */
export interface ForkedWorker {
  /** Never used twice. */
  readonly id: number;
  readonly pid: number | undefined;
  tell(what: 'stop' | 'cut'): void;
  kill(): void;
}

/** For messages to a worker that is gone: its end says so. */
const ignore = (): void => {};

/** Forks a worker: this command once more, with the arguments of this process. */
export const forkWorker = (port: number, answer: AnswerAsk, events: WorkerEvents): ForkedWorker => {
  const worker = cluster.fork();
  const closeOffered = watchOffers(worker.process);
  const send = (message: FromPrimary): void => void worker.send(message, ignore);
  const receive = createAnswerer(answer, worker.id, (answers) => send({ koine: 'answers', answers }));
  let reason: GatewayError | undefined;

  worker.on('message', (message: unknown) => {
    if (!isOurs<FromWorker>(message)) return;
    if (message.koine === 'asks') receive(message.asks);
    else if (message.koine === 'serving') events.serving(message.url);
    else if (message.koine === 'failed') reason = restoreError(message.error);
  });
  const finish = (code: number | null, signal: string | null): void => {
    closeOffered();
    events.gone({ code, signal, reason });
  };
  // After the exit and the end of the channel. Node's own events for the two come in any order, and `disconnect` not always.
  worker.process.once('close', finish);
  worker.on('error', () => {
    if (worker.process.pid === undefined) finish(null, null);
  });
  send({ koine: 'start', port });
  return { id: worker.id, pid: worker.process.pid, tell: (koine) => send({ koine }), kill: () => void worker.process.kill('SIGKILL') };
};
