import { mergeMetrics, retireMetrics, type MetricsSnapshot } from '../../core/index.ts';

/** The metrics of every worker of a host, those that are gone included. */
export interface Fleet {
  /** The latest of a worker takes the place of what it said before. */
  report(worker: number, snapshot: MetricsSnapshot): void;
  /** What the worker counted stays in every sum, so that no counter ever falls. */
  retire(worker: number): void;
  snapshots(): readonly MetricsSnapshot[];
}

export function createFleet(): Fleet {
  const live = new Map<number, MetricsSnapshot>();
  let retired: MetricsSnapshot = [];
  return {
    report: (worker, snapshot) => void live.set(worker, snapshot),
    retire: (worker) => {
      const last = live.get(worker);
      if (last === undefined) return;
      retired = mergeMetrics([retired, retireMetrics(last)]);
      live.delete(worker);
    },
    snapshots: () => [...live.values(), retired],
  };
}
