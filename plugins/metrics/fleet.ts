import { mergeMetrics, retireMetrics, type MetricsSnapshot } from '../../core/index.ts';

/** The metrics of every worker of a host, those that are gone included. */
export interface Fleet {
  /** The latest of a worker takes the place of what it said before. */
  report(worker: number, snapshot: MetricsSnapshot): void;
  /** What the worker counted stays in every sum, so that no counter ever falls. Resolves when it is folded into one with those before. */
  retire(worker: number): Promise<void>;
  snapshots(): readonly MetricsSnapshot[];
}

export const createFleet = (): Fleet => {
  const live = new Map<number, MetricsSnapshot>();
  let retired: readonly MetricsSnapshot[] = [];
  return {
    report: (worker, snapshot) => void live.set(worker, snapshot),
    retire: async (worker) => {
      const last = live.get(worker);
      if (last === undefined) return;
      live.delete(worker);
      const parts = [...retired, retireMetrics(last)];
      retired = parts;
      const sum = await mergeMetrics(parts);
      // Where another went meanwhile, its fold has these parts too.
      if (retired === parts) retired = [sum];
    },
    snapshots: () => [...live.values(), ...retired],
  };
};
