import type { MetricsSnapshot } from '../../core/api/index.ts';
import { mergeMetrics, retireMetrics } from '../../core/api/metrics.ts';

/** The metrics of Node of all workers of a host, including those that have exited. */
export class WorkerSnapshots {
  readonly #live = new Map<number, MetricsSnapshot>();
  #retired: MetricsSnapshot = [];

  /** Replaces the previous snapshot of the worker. */
  report(worker: number, snapshot: MetricsSnapshot): void {
    this.#live.set(worker, snapshot);
  }

  /** Keeps the counters of a worker that has exited in every sum, so that no counter falls. */
  retire(worker: number): void {
    const last = this.#live.get(worker);
    if (last === undefined) return;
    this.#retired = mergeMetrics([this.#retired, retireMetrics(last)]);
    this.#live.delete(worker);
  }

  all(): readonly MetricsSnapshot[] {
    return [...this.#live.values(), this.#retired];
  }
}
