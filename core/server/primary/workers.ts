import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Clock, Log, Metrics } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createWorkerReload, type WorkerReload } from './worker-reload.ts';
import { forkWorker, type Death, type ForkedWorker } from './forked-worker.ts';
import type { AnswerAsk } from '../link/link.ts';
import type { PackedGeneration } from '../link/messages.ts';
import { createBackOff, createLoopWatch } from './restarts.ts';

export interface WorkersOptions {
  readonly count: number;
  /** The port that all of them listen on. */
  readonly port: number;
  readonly first: PackedGeneration;
  readonly answer: AnswerAsk;
  /** Called once for each worker that is gone, after the last of its messages. */
  readonly gone: (worker: number) => void;
  /** True once every worker has served, and as long as one does. */
  readonly onServing: (serving: boolean) => void;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** The worker processes. */
export interface Workers extends Pick<WorkerReload, 'prepare' | 'over'> {
  /** Where they serve, once all do. Rejects with the words of the first that cannot start. */
  readonly url: Promise<string>;
  /** Rejects when they die in a loop before they serve. */
  readonly failed: Promise<never>;
  /** Puts in force what they have prepared; who takes the place of one starts with it. */
  enforce(packed: PackedGeneration): void;
  /** Lets them end; who has not after so many milliseconds is killed. @returns true where each ended as it should */
  drain(isHurried: boolean, deadlineMs: number): Promise<boolean>;
  cut(): void;
}

/** How long a worker may take to end once everything in it is cut. */
const CUT_MS = 2_000;

const crashLoop = ({ code, signal, reason }: Death): GatewayError =>
  new GatewayError(
    'KOINE_WORKER_FAILED',
    `Worker processes die again and again before they serve; the last one with ${signal ?? `exit code ${code}`}${reason === undefined ? '' : `: ${reason.message}`}`,
  );

/** In one word, for metrics. */
const causes = ['start', 'signal', 'exit'] as const;
const causeOf = ({ signal, reason }: Death): (typeof causes)[number] =>
  reason !== undefined ? 'start' : signal !== null ? 'signal' : 'exit';

/** Keeps so many workers: one that dies is replaced after a back-off. */
export function startWorkers({
  count,
  port,
  first,
  answer,
  gone,
  onServing,
  log,
  clock,
  metrics,
}: WorkersOptions): Workers {
  const restarts = metrics.counter(
    'koine_worker_restarts_total',
    'Workers that died and were replaced: by a signal, by an exit of their own, or because they could not start.',
    ['reason'],
  );
  // From zero: Prometheus sees no growth in what was not there before.
  for (const cause of causes) restarts.bind([cause]);
  const tellServing = metrics.gauge('koine_workers', 'Workers that serve.', [], 'sum').bind([]);
  const workerReload = createWorkerReload();
  const running = new Set<ForkedWorker>();
  const serving = new Set<ForkedWorker>();
  const empty = new Set<NodeJS.Timeout>();
  const isLooping = createLoopWatch(clock);
  const started = Promise.withResolvers<string>();
  const failed = Promise.withResolvers<never>();
  const ended = Promise.withResolvers<void>();
  failed.promise.catch(() => {});
  let current = first;
  let isStarted = false;
  let isStopping = false;
  let isGood = true;

  const give = (error: GatewayError): void => {
    started.reject(error);
    failed.reject(error);
  };
  const replace = (death: Death, worker: ForkedWorker, livedMs: number, backOff: (livedMs: number) => number): void => {
    const { code, signal, reason } = death;
    const afterMs = backOff(livedMs);
    restarts.bind([causeOf(death)])(1);
    log.error(
      omitUndefined({ worker: worker.id, pid: worker.pid, code, signal, error: reason, afterMs }),
      'a worker died and is replaced',
    );
    const timer = setTimeout(() => {
      empty.delete(timer);
      fork(backOff);
    }, afterMs);
    empty.add(timer);
  };
  const fork = (backOff: (livedMs: number) => number): void => {
    const bornAt = clock.monotonic();
    const worker = forkWorker(port, current, answer, {
      serving: (url) => {
        serving.add(worker);
        tellServing(serving.size);
        log.info({ worker: worker.id, pid: worker.pid }, 'a worker serves');
        isStarted ||= serving.size === count;
        if (!isStarted) return;
        onServing(true);
        started.resolve(url);
      },
      prepared: (generation, error) => workerReload.prepared(worker, generation, error),
      retired: (generation) => workerReload.retired(worker, generation),
      gone: (death) => {
        const hasServed = serving.delete(worker);
        tellServing(serving.size);
        running.delete(worker);
        workerReload.remove(worker);
        gone(worker.id);
        isGood &&= death.code === 0;
        if (isStopping && running.size === 0) ended.resolve();
        if (isStopping) return;
        if (isStarted && serving.size === 0) onServing(false);
        if (!isStarted && death.reason !== undefined) give(death.reason);
        else if (!hasServed && isLooping()) give(crashLoop(death));
        else replace(death, worker, clock.monotonic() - bornAt, backOff);
      },
    });
    running.add(worker);
    workerReload.add(worker, current.generation);
  };
  for (let place = 0; place < count; place += 1) fork(createBackOff());

  const kill = (): void => running.forEach((worker) => worker.kill());
  return {
    url: started.promise,
    failed: failed.promise,
    prepare: workerReload.prepare,
    over: workerReload.over,
    enforce: (packed) => {
      current = packed;
      workerReload.enforce(packed.generation);
    },
    drain: async (isHurried, deadlineMs) => {
      if (!isStopping) isGood = true;
      isStopping = true;
      empty.forEach(clearTimeout);
      if (running.size === 0) ended.resolve();
      running.forEach((worker) => worker.tell({ koine: 'stop', isHurried }));
      const deadline = setTimeout(kill, deadlineMs);
      await ended.promise;
      clearTimeout(deadline);
      return isGood;
    },
    cut: () => {
      running.forEach((worker) => worker.tell({ koine: 'cut' }));
      setTimeout(kill, CUT_MS).unref();
    },
  };
}
