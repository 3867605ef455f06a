import type { Metrics } from '../../contracts/services.ts';
import type { WorkerExit } from './forked-worker.ts';

const reasons = ['start', 'signal', 'exit'] as const;
const reasonOf = ({ signal, reason }: WorkerExit): (typeof reasons)[number] =>
  reason !== undefined ? 'start' : signal !== null ? 'signal' : 'exit';

export interface WorkerMeters {
  setServing(workers: number): void;
  countRestart(exit: WorkerExit): void;
}

export function createWorkerMeters(metrics: Metrics): WorkerMeters {
  const restarts = metrics.counter(
    'koine_worker_restarts_total',
    'Workers that exited and were replaced: by a signal, by an exit of their own, or because they could not start.',
    ['reason'],
  );
  // Every series starts at zero: Prometheus sees no increase in a series that was absent before.
  for (const reason of reasons) restarts.bind([reason]);
  return {
    setServing: metrics.gauge('koine_workers', 'Workers that serve.', [], 'sum').bind([]),
    countRestart: (exit) => restarts.bind([reasonOf(exit)])(1),
  };
}
