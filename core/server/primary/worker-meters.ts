import type { Metrics } from '../../contracts/services.ts';
import { exitReasons, type WorkerExit } from './worker-thread.ts';

export interface WorkerMeters {
  setServing(workers: number): void;
  countRestart(exit: WorkerExit): void;
}

export function createWorkerMeters(metrics: Metrics): WorkerMeters {
  const restarts = metrics.counter(
    'koine_worker_restarts_total',
    'Workers that ended and were replaced: by an error, a full heap, a stalled event loop, an exit, or at their start.',
    ['reason'],
  );
  // Every series starts at zero: Prometheus sees no increase in a series that was absent before.
  for (const reason of exitReasons) restarts.bind([reason]);
  return {
    setServing: metrics.gauge('koine_workers', 'Workers that serve.', [], 'sum').bind([]),
    countRestart: ({ reason }) => restarts.bind([reason])(1),
  };
}
