import type { PrimaryInstance } from '../../contracts/extension.ts';
import type { MetricsSnapshot, SeriesSnapshot } from '../../contracts/services.ts';
import { createFigures, type Figures } from './figures.ts';
import { mergeMetrics, retireMetrics } from './merge.ts';
import type { SeriesChange } from './series-memory.ts';
import { snapshotOf, type MetricShape } from './shape.ts';

interface WorkerMetric {
  readonly shape: MetricShape;
  readonly series: Map<number, { readonly labels: SeriesSnapshot['labels']; readonly figures: Figures }>;
}

/** What one worker counts. */
class WorkerMemory {
  readonly #chunks: Float64Array[] = [];
  readonly #metrics = new Map<string, WorkerMetric>();

  change(change: SeriesChange): void {
    switch (change.kind) {
      case 'chunk':
        this.#chunks.push(new Float64Array(change.memory));
        return;
      case 'metric':
        this.#metrics.set(change.shape.name, { shape: change.shape, series: new Map() });
        return;
      case 'series':
        this.#add(change);
        return;
      case 'dropped':
        this.#metrics.get(change.metric)?.series.delete(change.series);
    }
  }

  read(): MetricsSnapshot {
    return Array.from(this.#metrics.values(), ({ shape, series }) =>
      snapshotOf(
        shape,
        Array.from(series.values(), ({ labels, figures }) => ({ labels, figures: figures.read() })),
      ),
    );
  }

  #add({ metric, series, labels, chunk, at }: Extract<SeriesChange, { kind: 'series' }>): void {
    const known = this.#metrics.get(metric);
    const words = this.#chunks[chunk];
    if (known !== undefined && words !== undefined)
      known.series.set(series, { labels, figures: createFigures(known.shape, { words, at }) });
  }
}

/**
 * The series of all workers, in the main thread. It reads their figures where the workers count them, which neither
 * waits for a worker nor interrupts it; so they have the last update of a worker that stands still, or has ended.
 */
export class WorkerSeries implements PrimaryInstance {
  readonly #live = new Map<number, WorkerMemory>();
  /** The counts of workers that have ended. */
  #retired: MetricsSnapshot = [];

  /** @param change a {@link SeriesChange} */
  handle(change: unknown, worker: number): void {
    let memory = this.#live.get(worker);
    if (memory === undefined) this.#live.set(worker, (memory = new WorkerMemory()));
    memory.change(change as SeriesChange);
  }

  /** After the last change of a worker that has ended: keeps its counts in every sum, so that no counter falls. */
  onWorkerExit(worker: number): void {
    const last = this.#live.get(worker);
    if (last === undefined) return;
    this.#live.delete(worker);
    this.#retired = mergeMetrics([this.#retired, retireMetrics(last.read())]);
  }

  /** Removes counts of workers that have ended. Those that live drop their own series. */
  drop(isOver: (labels: SeriesSnapshot['labels'], metric: string) => boolean): void {
    this.#retired = this.#retired.map((metric) => ({
      ...metric,
      series: metric.series.filter(({ labels }) => !isOver(labels, metric.name)),
    }));
  }

  /** One snapshot of each worker, and one of all that have ended. Empty if there was none. */
  read(): readonly MetricsSnapshot[] {
    const live = Array.from(this.#live.values(), (memory) => memory.read());
    return this.#retired.length === 0 ? live : [...live, this.#retired];
  }
}
