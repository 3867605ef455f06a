import { parentPort, workerData } from 'node:worker_threads';
import type { Log } from '../contracts/services.ts';
import { carryError } from './link/carried-error.ts';
import { createLinkClient, type LinkPrimary } from './link/link.ts';
import { isOurs, type Assignment, type FromPrimary, type FromWorker, type PackedGeneration } from './link/messages.ts';
import { beat } from './primary/heartbeat.ts';
import { reportCrashes } from './shutdown/report-crash.ts';
import type { Shutdown } from './startup.ts';
import { explainLimits } from './shutdown/thread-limits.ts';

/** A gateway that serves in a worker. */
export interface ServingWorker extends Pick<Shutdown, 'drain' | 'cut'> {
  readonly url: string;
  /** Starts another configuration beside the active one. */
  prepare(packed: PackedGeneration): Promise<void>;
  /**
   * Activates a prepared configuration. Resolves with the generation number of the previous one when that has retired.
   */
  activate(generation: number): Promise<number | undefined>;
  /** Closes a prepared configuration. */
  drop(generation: number): Promise<void>;
}

type StartServing = (packed: PackedGeneration, link: (generation: number) => LinkPrimary) => Promise<ServingWorker>;

/** What the main thread gave to this worker thread. */
export const assignment = workerData as Assignment;

export function sendToMain(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  parentPort?.postMessage(message);
}

/** Extensions can replace it. */
const { exit } = process;

/** Handles the messages of the main thread, one method for each. */
class PrimaryMessages {
  readonly #client = createLinkClient((request) => sendToMain({ koine: 'plugin-request', request }));
  readonly #serving = Promise.withResolvers<ServingWorker>();
  readonly #start: StartServing;
  #isServing = false;

  constructor(start: StartServing) {
    this.#start = start;
  }

  async #begin(packed: PackedGeneration): Promise<void> {
    try {
      const started = await this.#start(packed, this.#client.link);
      this.#isServing = true;
      this.#serving.resolve(started);
      sendToMain({ koine: 'serving', url: started.url });
    } catch (thrown) {
      sendToMain({ koine: 'failed', error: carryError(thrown) });
      exit(1);
    }
  }

  receive(message: FromPrimary): void {
    switch (message.koine) {
      case 'start':
        return void this.#begin(message);
      case 'plugin-response':
        return this.#client.receive(message.response);
      case 'prepare':
        return void this.#prepare(message);
      case 'activate':
        return void this.#activate(message.generation);
      case 'drop':
        return void this.#serving.promise.then(({ drop }) => drop(message.generation));
      case 'stop':
        return void this.#end(message.isHurried);
      case 'cut':
        return void this.#serving.promise.then(({ cut }) => cut());
    }
  }

  async #prepare(packed: PackedGeneration): Promise<void> {
    const { generation } = packed;
    try {
      await (await this.#serving.promise).prepare(packed);
      sendToMain({ koine: 'prepared', generation });
    } catch (thrown) {
      sendToMain({ koine: 'prepared', generation, error: carryError(thrown) });
    }
  }

  async #activate(generation: number): Promise<void> {
    const retired = await (await this.#serving.promise).activate(generation);
    if (retired !== undefined) sendToMain({ koine: 'retired', generation: retired });
  }

  async #end(isHurried: boolean): Promise<never> {
    return exit(!this.#isServing || (await (await this.#serving.promise).drain(isHurried)) ? 0 : 1);
  }
}

/**
 * Runs this thread as a worker. The main thread starts it with a configuration and stops it. It ends with 0 after a
 * graceful stop, and with 1 where it cannot start, had to cut connections, or an error was not caught.
 */
export function runWorker(log: Log, start: StartServing): void {
  reportCrashes(() => {
    sendToMain({ koine: 'crashed' });
    exit(1);
  });
  explainLimits(log);
  const messages = new PrimaryMessages(start);
  parentPort?.on('message', (message: unknown) => {
    if (isOurs<FromPrimary>(message)) messages.receive(message);
  });
  beat(assignment.heartbeat);
}
