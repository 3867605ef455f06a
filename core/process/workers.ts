import type { Clock, Log } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';
import { forkWorker, type Death, type ForkedWorker } from './forked-worker.ts';
import type { AnswerAsk } from './link.ts';
import { createBackOff, createLoopWatch } from './restarts.ts';
import type { Stoppable } from './signals.ts';

export interface WorkersOptions {
  readonly count: number;
  /** The port that all of them listen on. */
  readonly port: number;
  readonly answer: AnswerAsk;
  /** Called once for each worker that is gone, after the last of its messages. */
  readonly gone: (worker: number) => void;
  /** True once every worker has served, and as long as one does. */
  readonly onServing: (serving: boolean) => void;
  readonly log: Log;
  readonly clock: Clock;
}

/** The worker processes. `stop` resolves when the last is gone. */
export interface Workers extends Stoppable {
  /** Where they serve, once all do. Rejects with the words of the first that cannot start. */
  readonly url: Promise<string>;
  /** Rejects when they die in a loop before they serve. */
  readonly failed: Promise<never>;
}

/** How long a worker may take to end once everything in it is cut. */
const CUT_MS = 2_000;

const crashLoop = ({ code, signal, reason }: Death): GatewayError =>
  new GatewayError('KOINE_WORKER_FAILED', `Worker processes die again and again before they serve; the last one with ${signal ?? `exit code ${code}`}${reason === undefined ? '' : `: ${reason.message}`}`);

/** Keeps so many workers: one that dies is replaced after a back-off. */
export const startWorkers = ({ count, port, answer, gone, onServing, log, clock }: WorkersOptions): Workers => {
  const running = new Set<ForkedWorker>();
  const serving = new Set<ForkedWorker>();
  const empty = new Set<NodeJS.Timeout>();
  const isLooping = createLoopWatch(clock);
  const started = Promise.withResolvers<string>();
  const failed = Promise.withResolvers<never>();
  const ended = Promise.withResolvers<void>();
  failed.promise.catch(() => {});
  let isStarted = false;
  let isStopping = false;

  const give = (error: GatewayError): void => {
    started.reject(error);
    failed.reject(error);
  };
  const replace = (death: Death, worker: ForkedWorker, livedMs: number, backOff: (livedMs: number) => number): void => {
    const { code, signal, reason } = death;
    const afterMs = backOff(livedMs);
    log.error({ worker: worker.id, pid: worker.pid, code, signal, ...(reason === undefined ? {} : { error: reason }), afterMs }, 'a worker died and is replaced');
    const timer = setTimeout(() => {
      empty.delete(timer);
      fork(backOff);
    }, afterMs);
    empty.add(timer);
  };
  const fork = (backOff: (livedMs: number) => number): void => {
    const bornAt = clock.monotonic();
    const worker = forkWorker(port, answer, {
      serving: (url) => {
        serving.add(worker);
        log.info({ worker: worker.id, pid: worker.pid }, 'a worker serves');
        isStarted ||= serving.size === count;
        if (!isStarted) return;
        onServing(true);
        started.resolve(url);
      },
      gone: (death) => {
        const hasServed = serving.delete(worker);
        running.delete(worker);
        gone(worker.id);
        if (isStopping && running.size === 0) ended.resolve();
        if (isStopping) return;
        if (isStarted && serving.size === 0) onServing(false);
        if (!isStarted && death.reason !== undefined) give(death.reason);
        else if (!hasServed && isLooping()) give(crashLoop(death));
        else replace(death, worker, clock.monotonic() - bornAt, backOff);
      },
    });
    running.add(worker);
  };
  for (let place = 0; place < count; place += 1) fork(createBackOff());

  return {
    url: started.promise,
    failed: failed.promise,
    stop: () => {
      isStopping = true;
      empty.forEach(clearTimeout);
      if (running.size === 0) ended.resolve();
      running.forEach((worker) => worker.tell('stop'));
      return ended.promise;
    },
    cut: () => {
      running.forEach((worker) => worker.tell('cut'));
      setTimeout(() => running.forEach((worker) => worker.kill()), CUT_MS).unref();
    },
  };
};
