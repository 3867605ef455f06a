import { Worker } from 'node:worker_threads';
import type { GatewayError } from '../../errors/gateway-error.ts';
import type { LogOutput } from '../../services/log/log.ts';
import { restoreError, type CarriedError } from '../link/carried-error.ts';
import { createLinkServer, type HandleRequest } from '../link/link.ts';
import {
  isOurs,
  type Assignment,
  type FromPrimary,
  type FromWorker,
  type LinkRequest,
  type PackedGeneration,
} from '../link/messages.ts';
import { watchHeartbeat } from './heartbeat.ts';

/** Why a worker ended. */
export const exitReasons = ['start', 'error', 'memory', 'stalled', 'exit'] as const;

/** How a worker ended. */
export interface WorkerExit {
  readonly code: number;
  /**
   * `start`: it could not start; `error`: an error that nothing caught; `memory`: its heap was full; `stalled`: its
   * event loop was blocked, and it was terminated; `exit`: an extension called `process.exit`, or it had to stop.
   */
  readonly reason: (typeof exitReasons)[number];
  /** Why it could not start. */
  readonly error: GatewayError | undefined;
}

export interface WorkerEvents {
  readonly serving: (url: string) => void;
  readonly prepared: (generation: number, error: GatewayError | undefined) => void;
  readonly retired: (generation: number) => void;
  /** Its thread has ended and its last message has been read. */
  readonly gone: (exit: WorkerExit) => void;
}

/** A worker, as the main thread sees it. */
export interface WorkerThread {
  /** From 1, never used twice. */
  readonly id: number;
  send(message: FromPrimary): void;
  kill(): void;
}

const restore = (error: CarriedError | undefined): GatewayError | undefined => error && restoreError(error);
const reasonOf = (thrown: unknown): 'memory' | 'error' =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error';

/** Handles the messages of a worker, and remembers why it ends. */
class WorkerMessages {
  readonly #events: WorkerEvents;
  readonly #respond: (request: LinkRequest) => void;
  readonly #writeRest: ((rest: Uint8Array) => void) | undefined;
  reason: WorkerExit['reason'] = 'exit';
  error: GatewayError | undefined;

  constructor(events: WorkerEvents, respond: (request: LinkRequest) => void, logs: LogOutput['workers']) {
    this.#events = events;
    this.#respond = respond;
    this.#writeRest = logs?.writeRest;
  }

  receive(message: FromWorker): void {
    switch (message.koine) {
      case 'plugin-request':
        return this.#respond(message.request);
      case 'rest-of-line':
        return this.#writeRest?.(message.rest);
      case 'serving':
        return this.#events.serving(message.url);
      case 'prepared':
        return this.#events.prepared(message.generation, restore(message.error));
      case 'retired':
        return this.#events.retired(message.generation);
      case 'crashed':
        return void (this.reason = 'error');
      case 'failed':
        [this.reason, this.error] = ['start', restore(message.error)];
    }
  }
}

/** Starts a worker with this configuration. @param program the module that the thread runs */
export function startThread(
  program: URL,
  assigned: Omit<Assignment, 'heartbeat' | 'pipe'>,
  packed: PackedGeneration,
  handle: HandleRequest,
  events: WorkerEvents,
  logs: LogOutput['workers'],
): WorkerThread {
  const { worker: id } = assigned;
  const heartbeat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: Assignment = { ...assigned, heartbeat, pipe: logs?.memory };
  const worker = new Worker(program, { workerData, name: `worker ${id}`, stdout: logs !== undefined });
  logs?.passOn(worker.stdout);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  const send = (message: FromPrimary): void => worker.postMessage(message);
  const kill = (): void => void worker.terminate();
  const respond = createLinkServer(handle, id, (response, moved) =>
    worker.postMessage({ koine: 'plugin-response', response } satisfies FromPrimary, moved),
  );
  const messages = new WorkerMessages(events, respond, logs);
  const stopWatch = watchHeartbeat(heartbeat, () => {
    messages.reason = 'stalled';
    kill();
  });
  worker.on('message', (message: unknown) => {
    if (!isOurs<FromWorker>(message)) return;
    // The first beat: a request can block its event loop before its timer has fired once.
    if (message.koine === 'serving') Atomics.add(heartbeat, 0, 1);
    messages.receive(message);
  });
  worker.on('error', (thrown: unknown) => (messages.reason = reasonOf(thrown)));
  worker.once('exit', (code) => {
    stopWatch();
    logs?.release(id);
    const { reason, error } = messages;
    events.gone({ code, reason, error });
  });
  send({ koine: 'start', ...packed });
  return { id, send, kill };
}
