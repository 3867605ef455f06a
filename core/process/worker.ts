import type { Worker } from 'node:cluster';
import type { Log } from '../contracts/services.ts';
import { carryError } from './carried-error.ts';
import { createWorkerLink, type LinkPrimary } from './link.ts';
import { isOurs, type FromPrimary, type FromWorker } from './messages.ts';
import { ignoreSignals, type Stoppable } from './signals.ts';

/** What the primary lends to a worker. */
export interface Assignment {
  readonly port: number;
  readonly link: LinkPrimary;
}

/** What serves in a worker. */
export interface ServingWorker extends Stoppable {
  readonly url: string;
}

/**
 * Lives as a worker: starts when the primary says so, serves until it says stop, and ends this process: with 0 after a graceful stop, with 1
 * where it cannot start or the primary is gone. Signals that a terminal sends to all of us are the primary's affair.
 */
export const liveAsWorker = (worker: Worker, log: Log, start: (assignment: Assignment) => Promise<ServingWorker>): Promise<never> => {
  const send = (message: FromWorker, sent = (): void => {}): void => void worker.send(message, sent);
  const { link, receive } = createWorkerLink((asks) => send({ koine: 'asks', asks }));
  let serving: ServingWorker | undefined;

  const begin = async (port: number): Promise<void> => {
    try {
      serving = await start({ port, link });
      send({ koine: 'serving', url: serving.url });
    } catch (thrown) {
      send({ koine: 'failed', error: carryError(thrown) }, () => process.exit(1));
    }
  };
  const end = async (): Promise<never> => {
    await serving?.stop();
    process.exit(0);
  };

  ignoreSignals();
  // A channel that breaks while it is written to is a channel that is gone: the end of the primary is told once.
  worker.on('error', () => {});
  worker.once('disconnect', () => {
    log.error({}, 'the primary process is gone, and so is this worker');
    process.exit(1);
  });
  worker.on('message', (message: unknown) => {
    if (!isOurs<FromPrimary>(message)) return;
    if (message.koine === 'answers') receive(message.answers);
    else if (message.koine === 'start') void begin(message.port);
    else if (message.koine === 'stop') void end();
    else if (message.koine === 'cut') serving?.cut();
  });
  return Promise.withResolvers<never>().promise;
};
