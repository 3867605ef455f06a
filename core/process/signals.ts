import type { Log } from '../contracts/services.ts';

/** What a signal acts on. */
export interface Stoppable {
  /** Takes nothing new and waits for what is open. */
  stop(): Promise<void>;
  /** Cuts what is open. */
  cut(): void;
}

/**
 * SIGTERM and SIGINT stop the gateway gracefully: no new connection, open exchanges finish. A second signal cuts them.
 * Resolves with the exit code.
 */
export const waitForSignal = (gateway: Stoppable, log: Log): Promise<number> =>
  new Promise((resolve) => {
    let stopping = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (stopping) {
        log.warn({ signal }, 'second signal: cutting what is open');
        gateway.cut();
        resolve(1);
        return;
      }
      stopping = true;
      log.info({ signal }, 'stopping');
      void gateway.stop().then(() => resolve(0));
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });

/** For a worker: Ctrl-C reaches the whole group, but only the primary decides what it means. */
export const ignoreSignals = (): void => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
};
