import cluster from 'node:cluster';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GatewayError } from '../../errors/gateway-error.ts';
import type { LogOutput } from '../../services/log/log.ts';
import { restoreError, type CarriedError } from '../link/carried-error.ts';
import { createLinkServer } from '../link/link-server.ts';
import type { HandleRequest } from '../link/link.ts';
import { isOurs, type FromPrimary, type FromWorker, type PackedGeneration } from '../link/messages.ts';
import { watchOffers } from './offered-connection.ts';

/** How a worker process ended. */
export interface WorkerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it could not start. */
  readonly reason: GatewayError | undefined;
}

export interface WorkerEvents {
  readonly serving: (url: string) => void;
  readonly prepared: (generation: number, error: GatewayError | undefined) => void;
  readonly retired: (generation: number) => void;
  /** Its process has ended and its last message has been read. */
  readonly gone: (exit: WorkerExit) => void;
}

/** A worker process, as the primary process sees it. */
export interface ForkedWorker {
  /** Never used twice. */
  readonly id: number;
  readonly pid: number | undefined;
  send(message: FromPrimary): void;
  kill(): void;
}

/** The result of a send to a worker that is gone: its exit is reported by `gone`. */
const ignore = (): void => {};
const restore = (error: CarriedError | undefined): GatewayError | undefined => error && restoreError(error);

/**
 * Sends a configuration in parts, one in a turn of the event loop, and then the message that uses it.
 * @param isWanted false as soon as the worker need not have it
 */
export async function sendConfig(
  send: ForkedWorker['send'],
  { generation, config }: PackedGeneration,
  message: FromPrimary,
  isWanted = (): boolean => true,
): Promise<void> {
  for (const part of config) {
    send({ koine: 'part', generation, text: Buffer.from(part).toString('base64') });
    await nextTurn();
    if (!isWanted()) return;
  }
  send(message);
}

/**
 * Forks a worker: the same command with the same arguments, and this configuration.
 * @param passOn writes the lines of its log; absent: it writes them itself
 */
export function forkWorker(
  port: number,
  packed: PackedGeneration,
  handle: HandleRequest,
  events: WorkerEvents,
  passOn: LogOutput['passOn'],
): ForkedWorker {
  // The last one is standard output, as SPARE_DESCRIPTOR.
  cluster.setupPrimary({ stdio: ['inherit', passOn === undefined ? 'inherit' : 'pipe', 'inherit', 'ipc', 1] });
  const worker = cluster.fork();
  const closeOffered = watchOffers(worker.process);
  const send = (message: FromPrimary): void => void worker.send(message, ignore);
  if (worker.process.stdout !== null) passOn?.(worker.process.stdout, (lines) => send({ koine: 'logged', lines }));
  const receive = createLinkServer(handle, worker.id, (responses) => send({ koine: 'plugin-responses', responses }));
  let reason: GatewayError | undefined;

  worker.on('message', (message: unknown) => {
    if (!isOurs<FromWorker>(message)) return;
    if (message.koine === 'plugin-requests') receive(message.requests);
    else if (message.koine === 'serving') events.serving(message.url);
    else if (message.koine === 'prepared') events.prepared(message.generation, restore(message.error));
    else if (message.koine === 'retired') events.retired(message.generation);
    else reason = restore(message.error);
  });
  const finish = (code: number | null, signal: string | null): void => {
    closeOffered();
    events.gone({ code, signal, reason });
  };
  // `close` comes after both the exit and the end of the channel. `exit` and `disconnect` come in any order, and
  // `disconnect` not always.
  worker.process.once('close', finish);
  worker.on('error', () => {
    if (worker.process.pid === undefined) finish(null, null);
  });
  void sendConfig(send, packed, { koine: 'start', port, generation: packed.generation });
  return { id: worker.id, pid: worker.process.pid, send, kill: () => void worker.process.kill('SIGKILL') };
}
