import cluster from 'node:cluster';
import type { GatewayError } from '../../errors/gateway-error.ts';
import { createAnswerer } from '../link/answerer.ts';
import { restoreError, type CarriedError } from '../link/carried-error.ts';
import type { AnswerAsk } from '../link/link.ts';
import { isOurs, type FromPrimary, type FromWorker, type PackedGeneration } from '../link/messages.ts';
import { watchOffers } from '../worker/offered-connection.ts';

/** How a worker ended. */
export interface Death {
  readonly code: number | null;
  readonly signal: string | null;
  /** Its own words, where it could not start. */
  readonly reason: GatewayError | undefined;
}

export interface WorkerEvents {
  readonly serving: (url: string) => void;
  readonly prepared: (generation: number, error: GatewayError | undefined) => void;
  readonly retired: (generation: number) => void;
  /** Its process has ended and its last message has been read: it holds nothing any more. */
  readonly gone: (death: Death) => void;
}

/** A worker as the primary process sees it. */
export interface ForkedWorker {
  /** Never used twice. */
  readonly id: number;
  readonly pid: number | undefined;
  tell(message: FromPrimary): void;
  kill(): void;
}

/** For messages to a worker that is gone: its end says so. */
const ignore = (): void => {};
const restore = (error: CarriedError | undefined): GatewayError | undefined => error && restoreError(error);

/** Forks a worker: this command once more, with the arguments of this process, and the configuration that it is given. */
export function forkWorker(
  port: number,
  { generation, config }: PackedGeneration,
  answer: AnswerAsk,
  events: WorkerEvents,
): ForkedWorker {
  const worker = cluster.fork();
  const closeOffered = watchOffers(worker.process);
  const tell = (message: FromPrimary): void => void worker.send(message, ignore);
  const receive = createAnswerer(answer, worker.id, (answers) => tell({ koine: 'answers', answers }));
  let reason: GatewayError | undefined;

  worker.on('message', (message: unknown) => {
    if (!isOurs<FromWorker>(message)) return;
    if (message.koine === 'asks') receive(message.asks);
    else if (message.koine === 'serving') events.serving(message.url);
    else if (message.koine === 'prepared') events.prepared(message.generation, restore(message.error));
    else if (message.koine === 'retired') events.retired(message.generation);
    else reason = restore(message.error);
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
  tell({ koine: 'start', port, generation, config });
  return { id: worker.id, pid: worker.process.pid, tell, kill: () => void worker.process.kill('SIGKILL') };
}
