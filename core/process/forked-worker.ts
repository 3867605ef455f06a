import cluster from 'node:cluster';
import type { GatewayError } from '../errors.ts';
import { createAnswerer } from './answerer.ts';
import { restoreError } from './carried-error.ts';
import type { AnswerAsk } from './link.ts';
import { isOurs, type FromPrimary, type FromWorker } from './messages.ts';

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
  const send = (message: FromPrimary): void => void worker.send(message, ignore);
  const receive = createAnswerer(answer, worker.id, (answers) => send({ koine: 'answers', answers }));
  const exited = Promise.withResolvers<Omit<Death, 'reason'>>();
  const muted = Promise.withResolvers<void>();
  let reason: GatewayError | undefined;

  worker.on('message', (message: unknown) => {
    if (!isOurs<FromWorker>(message)) return;
    if (message.koine === 'asks') receive(message.asks);
    else if (message.koine === 'serving') events.serving(message.url);
    else if (message.koine === 'failed') reason = restoreError(message.error);
  });
  worker.once('exit', (code: number | null, signal: string | null) => exited.resolve({ code, signal }));
  worker.once('disconnect', muted.resolve);
  worker.on('error', () => {
    if (worker.process.pid !== undefined) return;
    exited.resolve({ code: null, signal: null });
    muted.resolve();
  });
  void Promise.all([exited.promise, muted.promise]).then(([end]) => events.gone({ ...end, reason }));
  send({ koine: 'start', port });
  return { id: worker.id, pid: worker.process.pid, tell: (koine) => send({ koine }), kill: () => void worker.process.kill('SIGKILL') };
};
