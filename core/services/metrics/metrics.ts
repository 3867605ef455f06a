import type { Metric, MetricSnapshot, Metrics, SeriesSnapshot } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { mergeMetrics } from './merge.ts';
import { SeriesMemory, type AnnounceSeries } from './series-memory.ts';
import { Series } from './series.ts';
import { checkSameShape, checkShape, refuseMetric, snapshotOf, type MetricShape } from './shape.ts';
import { WorkerSeries } from './worker-series.ts';

/** Maximum numbers of label combinations. A histogram counts as one, despite its many lines. */
export interface MetricCaps {
  readonly perMetric: number;
  readonly total: number;
}
const usualCaps: MetricCaps = { perMetric: 2_000, total: 20_000 };

/** The metrics of this thread, with operations for their owner. */
export interface OwnMetrics extends Metrics {
  /** In the main thread: what its workers count. */
  readonly workers: WorkerSeries;
  /** Removes every label combination for which the function returns true. */
  drop(isOver: (labels: SeriesSnapshot['labels'], metric: string) => boolean): void;
}
/** Half a surrogate pair: well-formed label values cannot contain it. */
const SEPARATOR = '\ud800';

/** Libraries separate combinations by `name:value,`: a value must not look like two labels. */
const cleanValue = (value: string): string => value.toWellFormed().replaceAll(/,(?=[a-zA-Z_]\w*:)/g, ';');

/** Not subject to the maximum: one series for each metric that has reached it. */
const DROPPED = 'koine_metrics_series_dropped_total';

const droppedShape: MetricShape = {
  name: DROPPED,
  help: 'Combinations of label values that became "other" because a cap was reached.',
  type: 'counter',
  labels: ['metric'],
};

/** The label combinations of a thread, counted towards its maximum. */
interface SeriesCount {
  readonly caps: MetricCaps;
  taken: number;
  /** Counts a combination beyond the maximum. */
  readonly onDropped: (metric: string) => void;
}

/** One metric with its label combinations. */
class BoundMetric implements Metric {
  readonly shape: MetricShape;
  readonly #count: SeriesCount;
  readonly #memory: SeriesMemory;
  readonly #series = new Map<string, Series>();
  readonly #others: readonly string[];
  readonly #otherKey: string;

  constructor(shape: MetricShape, count: SeriesCount, memory: SeriesMemory) {
    this.shape = shape;
    this.#count = count;
    this.#memory = memory;
    this.#others = shape.labels.map(() => 'other');
    this.#otherKey = this.#others.join(SEPARATOR);
    count.taken += 1;
    memory.declare(shape);
    if (shape.labels.length === 0) this.#add(this.#otherKey, this.#others);
  }

  readonly bind = (given: readonly string[]): ((value: number) => void) => {
    const { name, labels } = this.shape;
    if (given.length !== labels.length)
      throw new GatewayError(
        'internal_error',
        `The metric ${name} has the labels (${labels.join(', ')}) and was given ${given.length} values.`,
      );
    const values = given.map(cleanValue);
    return this.#find(values.join(SEPARATOR), values).update;
  };

  drop(isOver: (labels: SeriesSnapshot['labels'], metric: string) => boolean): void {
    for (const series of this.#series.values()) {
      if (!isOver(series.labels, this.shape.name)) continue;
      this.#series.delete(series.key);
      series.drop();
      if (series.key !== this.#otherKey) this.#count.taken -= 1;
    }
  }

  read(): MetricSnapshot {
    return snapshotOf(
      this.shape,
      Array.from(this.#series.values(), (each) => each.read()),
    );
  }

  #find(key: string, values: readonly string[]): Series {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const { caps, taken, onDropped } = this.#count;
    if (key === this.#otherKey || (this.#series.size < caps.perMetric - 1 && taken < caps.total))
      return this.#add(key, values);
    onDropped(this.shape.name);
    return this.#series.get(this.#otherKey) ?? this.#add(this.#otherKey, this.#others);
  }

  #add(key: string, values: readonly string[]): Series {
    const labels = Object.fromEntries(this.shape.labels.map((label, index) => [label, values[index] ?? '']));
    return this.#put(new Series(this.shape, key, labels, this.#memory, (dropped) => this.#current(dropped)));
  }

  #put(series: Series): Series {
    this.#series.set(series.key, series);
    // The series `other`, or the only series of a metric without labels, is reserved from the start.
    if (series.key !== this.#otherKey) this.#count.taken += 1;
    return series;
  }

  #current(dropped: Series): Series {
    const known = this.#series.get(dropped.key);
    if (known !== undefined) return known;
    dropped.restore();
    return this.#put(dropped);
  }
}

/**
 * The metrics of one thread; in the main thread with those of its workers. A bound series counts into its own numbers,
 * so that an update needs no lookup. Beyond the maximum, new label combinations share one whose values are all `other`.
 * @param announce of a worker: what it counts is then part of the snapshots of the main thread
 */
export function createMetrics(caps: MetricCaps = usualCaps, announce?: AnnounceSeries): OwnMetrics {
  const metrics = new Map<string, BoundMetric>();
  const memory = new SeriesMemory(announce);
  const workers = new WorkerSeries();
  const unlimited = { perMetric: Infinity, total: Infinity };
  const dropped = new BoundMetric(droppedShape, { caps: unlimited, taken: 0, onDropped: () => {} }, memory);
  const count: SeriesCount = { caps, taken: 0, onDropped: (metric) => dropped.bind([metric])(1) };

  const getOrCreate = (shape: MetricShape): Metric => {
    const known = metrics.get(shape.name);
    if (known !== undefined) {
      checkSameShape(known.shape, shape);
      return known;
    }
    checkShape(shape);
    if (shape.name === DROPPED) throw refuseMetric(DROPPED, 'A metric with this name has already been registered');
    const made = new BoundMetric(shape, count, memory);
    metrics.set(shape.name, made);
    return made;
  };

  return {
    counter: (name, help, labels) => getOrCreate({ name, help, type: 'counter', labels }),
    gauge: (name, help, labels, aggregate) => getOrCreate({ name, help, type: 'gauge', labels, aggregate }),
    histogram: (name, help, labels, buckets) => getOrCreate({ name, help, type: 'histogram', labels, buckets }),
    snapshot: async () => {
      const own = [dropped.read(), ...Array.from(metrics.values(), (metric) => metric.read())];
      const others = workers.read();
      return others.length === 0 ? own : mergeMetrics([own, ...others]);
    },
    drop: (isOver) => {
      metrics.forEach((metric) => metric.drop(isOver));
      workers.drop(isOver);
    },
    workers,
  };
}
