import type { Worker } from 'node:cluster';
import type { Log } from '../../contracts/services.ts';
import { carryError } from '../link/carried-error.ts';
import { createWorkerLink, type LinkPrimary } from '../link/link.ts';
import { isOurs, type FromPrimary, type FromWorker, type PackedGeneration } from '../link/messages.ts';
import { ignoreSignals } from '../shutdown/signals.ts';

/** What the primary lends to a worker. */
export interface Assignment extends PackedGeneration {
  readonly port: number;
  readonly link: (generation: number) => LinkPrimary;
}

/** What serves in a worker. */
export interface ServingWorker {
  readonly url: string;
  /** Starts another configuration beside the one in force. */
  prepare(packed: PackedGeneration): Promise<void>;
  /** Puts it in force. Resolves, with its number, when the one before has retired. */
  enforce(generation: number): Promise<number | undefined>;
  /** Closes what was prepared. */
  drop(generation: number): Promise<void>;
  /** Takes nothing new and waits for what is open. @returns false where connections had to be cut */
  drain(isHurried: boolean): Promise<boolean>;
  cut(): void;
}

/**
 * Lives as a worker: starts when the primary says so, with the configuration that it is given, serves until it says stop, and ends this process: with 0
 * after a graceful stop, with 1 where it cannot start, had to cut, or the primary is gone. Signals that a terminal sends to all of us are the primary's
 * affair.
 */
export function runWorker(
  worker: Worker,
  log: Log,
  start: (assignment: Assignment) => Promise<ServingWorker>,
): Promise<never> {
  const send = (message: FromWorker, sent = (): void => {}): void => void worker.send(message, sent);
  const { link, receive } = createWorkerLink((asks) => send({ koine: 'asks', asks }));
  const { promise: serving, resolve: serve } = Promise.withResolvers<ServingWorker>();
  let isServing = false;

  const begin = async (assignment: Assignment): Promise<void> => {
    try {
      const started = await start(assignment);
      isServing = true;
      serve(started);
      send({ koine: 'serving', url: started.url });
    } catch (thrown) {
      send({ koine: 'failed', error: carryError(thrown) }, () => process.exit(1));
    }
  };
  const prepare = async (packed: PackedGeneration): Promise<void> => {
    const { generation } = packed;
    try {
      await (await serving).prepare(packed);
      send({ koine: 'prepared', generation });
    } catch (thrown) {
      send({ koine: 'prepared', generation, error: carryError(thrown) });
    }
  };
  const enforce = async (generation: number): Promise<void> => {
    const retired = await (await serving).enforce(generation);
    if (retired !== undefined) send({ koine: 'retired', generation: retired });
  };
  const end = async (isHurried: boolean): Promise<never> =>
    process.exit(!isServing || (await (await serving).drain(isHurried)) ? 0 : 1);

  ignoreSignals();
  // A channel that breaks while it is written to is a channel that is gone: the end of the primary is told once.
  worker.on('error', () => {});
  worker.once('disconnect', () => {
    log.error({}, 'the primary process is gone, and so is this worker');
    process.exit(1);
  });
  worker.on('message', (message: unknown) => {
    if (!isOurs<FromPrimary>(message)) return;
    switch (message.koine) {
      case 'answers':
        return receive(message.answers);
      case 'start':
        return void begin({ ...message, link });
      case 'prepare':
        return void prepare(message);
      case 'enforce':
        return void enforce(message.generation);
      case 'drop':
        return void serving.then(({ drop }) => drop(message.generation));
      case 'stop':
        return void end(message.isHurried);
      case 'cut':
        return void serving.then(({ cut }) => cut());
    }
  });
  return Promise.withResolvers<never>().promise;
}
