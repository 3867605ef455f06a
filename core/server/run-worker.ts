import type { Worker } from 'node:cluster';
import type { Log } from '../contracts/services.ts';
import type { ProcessLog } from '../services/log/log.ts';
import { carryError } from './link/carried-error.ts';
import { createLinkClient, type LinkPrimary } from './link/link.ts';
import { isOurs, type FromPrimary, type FromWorker, type PackedGeneration } from './link/messages.ts';
import { ignoreSignals } from './shutdown/signals.ts';

/** What the primary process gives to a worker. */
export interface Assignment extends PackedGeneration {
  readonly port: number;
  readonly link: (generation: number) => LinkPrimary;
}

/** A gateway that serves in a worker. */
export interface ServingWorker {
  readonly url: string;
  /** Starts another configuration beside the active one. */
  prepare(packed: PackedGeneration): Promise<void>;
  /**
   * Activates a prepared configuration. Resolves with the generation number of the previous one when that has retired.
   */
  activate(generation: number): Promise<number | undefined>;
  /** Closes a prepared configuration. */
  drop(generation: number): Promise<void>;
  /** Accepts no new connection and waits for open exchanges. @returns false where connections had to be cut */
  drain(isHurried: boolean): Promise<boolean>;
  cut(): void;
}

type WorkerLog = Log & Pick<ProcessLog, 'confirm'>;
type StartServing = (assignment: Assignment) => Promise<ServingWorker>;

/** Handles the messages of the primary process, one method for each. */
class PrimaryMessages {
  readonly #worker: Worker;
  readonly #log: WorkerLog;
  readonly #start: StartServing;
  readonly #client = createLinkClient((requests) => this.#send({ koine: 'plugin-requests', requests }));
  readonly #serving = Promise.withResolvers<ServingWorker>();
  /** By generation: the parts of its configuration so far. */
  readonly #parts = new Map<number, Uint8Array[]>();
  #isServing = false;

  constructor(worker: Worker, log: WorkerLog, start: StartServing) {
    this.#worker = worker;
    this.#log = log;
    this.#start = start;
  }

  receive(message: FromPrimary): void {
    switch (message.koine) {
      case 'plugin-responses':
        return this.#client.receive(message.responses);
      case 'logged':
        return this.#log.confirm(message.lines);
      case 'part':
        return this.#addPart(message);
      case 'start':
        return void this.#begin({ ...this.#take(message), port: message.port, link: this.#client.link });
      case 'prepare':
        return void this.#prepare(this.#take(message));
      case 'activate':
        return void this.#activate(message.generation);
      case 'drop':
        this.#parts.delete(message.generation);
        return void this.#serving.promise.then(({ drop }) => drop(message.generation));
      case 'stop':
        return void this.#end(message.isHurried);
      case 'cut':
        return void this.#serving.promise.then(({ cut }) => cut());
    }
  }

  #send(message: FromWorker, sent = (): void => {}): void {
    this.#worker.send(message, sent);
  }

  #addPart({ generation, text }: Extract<FromPrimary, { koine: 'part' }>): void {
    const parts = this.#parts.get(generation) ?? [];
    parts.push(Buffer.from(text, 'base64'));
    this.#parts.set(generation, parts);
  }

  #take({ generation }: Pick<PackedGeneration, 'generation'>): PackedGeneration {
    const config = this.#parts.get(generation) ?? [];
    this.#parts.delete(generation);
    return { generation, config };
  }

  async #begin(assignment: Assignment): Promise<void> {
    try {
      const started = await this.#start(assignment);
      this.#isServing = true;
      this.#serving.resolve(started);
      this.#send({ koine: 'serving', url: started.url });
    } catch (thrown) {
      this.#send({ koine: 'failed', error: carryError(thrown) }, () => process.exit(1));
    }
  }

  async #prepare(packed: PackedGeneration): Promise<void> {
    const { generation } = packed;
    try {
      await (await this.#serving.promise).prepare(packed);
      this.#send({ koine: 'prepared', generation });
    } catch (thrown) {
      this.#send({ koine: 'prepared', generation, error: carryError(thrown) });
    }
  }

  async #activate(generation: number): Promise<void> {
    const retired = await (await this.#serving.promise).activate(generation);
    if (retired !== undefined) this.#send({ koine: 'retired', generation: retired });
  }

  async #end(isHurried: boolean): Promise<never> {
    process.exit(!this.#isServing || (await (await this.#serving.promise).drain(isHurried)) ? 0 : 1);
  }
}

const CHECK_PARENT_MS = 10;
/** The primary can close the channel without an end. */
const MOST_CHECKS = 50;

/**
 * Exits when the primary is gone. Until then the pipe on which it reads this log can still be open, and a line in it
 * would be lost. It blocks, since Node exits after the listeners of the event.
 */
function exitAlone(log: Log, primary: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let checks = 0; process.ppid === primary && checks < MOST_CHECKS; checks += 1)
    Atomics.wait(pause, 0, 0, CHECK_PARENT_MS);
  log.error({}, 'the primary process is gone: this worker exits');
  process.exit(1);
}

/**
 * Runs this process as a worker. The primary process starts it with a configuration and stops it; signals, which a
 * terminal sends to the whole process group, are ignored. The process exits with 0 after a graceful stop, and with 1
 * where it cannot start, had to cut connections, or the primary is gone.
 */
export function runWorker(worker: Worker, log: WorkerLog, start: StartServing): Promise<never> {
  const messages = new PrimaryMessages(worker, log, start);
  ignoreSignals();
  // A channel that breaks during a write also disconnects, and that event is handled.
  worker.on('error', () => {});
  const primary = process.ppid;
  worker.once('disconnect', () => exitAlone(log, primary));
  worker.on('message', (message: unknown) => {
    if (isOurs<FromPrimary>(message)) messages.receive(message);
  });
  return Promise.withResolvers<never>().promise;
}
