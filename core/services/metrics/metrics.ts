import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Metric, MetricSnapshot, Metrics, SeriesSnapshot } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { Series } from './series.ts';
import { checkSameShape, checkShape, refuseMetric, type MetricShape } from './shape.ts';

/** Maximum numbers of label combinations. A histogram counts as one, despite its many lines. */
export interface MetricCaps {
  readonly perMetric: number;
  readonly total: number;
}
const usualCaps: MetricCaps = { perMetric: 2_000, total: 20_000 };

/** The metrics of this process, with operations for their owner. */
export interface OwnMetrics extends Metrics {
  /** Removes every label combination for which the function returns true. */
  drop(isOver: (labels: SeriesSnapshot['labels'], metric: string) => boolean): void;
}
interface OwnMetric extends Metric, Pick<OwnMetrics, 'drop'> {
  readonly shape: MetricShape;
  read(): MetricSnapshot;
}

/** Half a surrogate pair: well-formed label values cannot contain it. */
const SEPARATOR = '\ud800';

/** Libraries separate combinations by `name:value,`: a value must not look like two labels. */
const cleanValue = (value: string): string => value.toWellFormed().replaceAll(/,(?=[a-zA-Z_]\w*:)/g, ';');

/** Not subject to the maximum: one series for each metric that has reached it. */
const DROPPED = 'koine_metrics_series_dropped_total';

const readDropped = (dropped: ReadonlyMap<string, number>): MetricSnapshot => ({
  name: DROPPED,
  help: 'Combinations of label values that became "other" because a cap was reached.',
  type: 'counter',
  aggregator: 'sum',
  series: Array.from(dropped, ([metric, count]) => ({ labels: { metric }, figures: [count] })),
});

/**
 * The metrics of one process. A bound series counts into its own numbers, so that an update needs no lookup. Beyond the
 * maximum, new label combinations share one whose values are all `other`.
 */
export function createMetrics({ perMetric, total }: MetricCaps = usualCaps): OwnMetrics {
  const metrics = new Map<string, OwnMetric>();
  const dropped = new Map<string, number>();
  let taken = 0;

  const create = (shape: MetricShape): OwnMetric => {
    const { name, help, type, labels, aggregate = 'sum', buckets } = shape;
    const bound = new Map<string, Series>();
    const others = labels.map(() => 'other');
    const otherKey = others.join(SEPARATOR);
    const put = (series: Series): Series => {
      bound.set(series.key, series);
      // The series `other`, or the only series of a metric without labels, is reserved from the start.
      if (series.key !== otherKey) taken += 1;
      return series;
    };
    const current = (gone: Series): Series => {
      const known = bound.get(gone.key);
      if (known !== undefined) return known;
      gone.restore();
      return put(gone);
    };
    const add = (key: string, values: readonly string[]): Series =>
      put(
        new Series(shape, key, Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ''])), current),
      );
    const find = (key: string, values: readonly string[]): Series => {
      const known = bound.get(key);
      if (known !== undefined) return known;
      if (key === otherKey || (bound.size < perMetric - 1 && taken < total)) return add(key, values);
      dropped.set(name, (dropped.get(name) ?? 0) + 1);
      return bound.get(otherKey) ?? add(otherKey, others);
    };
    taken += 1;
    if (labels.length === 0) add(otherKey, others);
    return {
      shape,
      bind: (given) => {
        if (given.length !== labels.length)
          throw new GatewayError(
            'internal_error',
            `The metric ${name} has the labels (${labels.join(', ')}) and was given ${given.length} values.`,
          );
        const values = given.map(cleanValue);
        return find(values.join(SEPARATOR), values).update;
      },
      drop: (isOver) => {
        for (const series of bound.values()) {
          if (!isOver(series.labels, name)) continue;
          bound.delete(series.key);
          series.drop();
          if (series.key !== otherKey) taken -= 1;
        }
      },
      read: () =>
        omitUndefined({
          name,
          help,
          type,
          aggregator: aggregate,
          buckets,
          series: Array.from(bound.values(), (series) => series.read()),
        }),
    };
  };

  const getOrCreate = (shape: MetricShape): Metric => {
    const known = metrics.get(shape.name);
    if (known !== undefined) {
      checkSameShape(known.shape, shape);
      return known;
    }
    checkShape(shape);
    if (shape.name === DROPPED) throw refuseMetric(DROPPED, 'A metric with this name has already been registered');
    const made = create(shape);
    metrics.set(shape.name, made);
    return made;
  };

  return {
    counter: (name, help, labels) => getOrCreate({ name, help, type: 'counter', labels }),
    gauge: (name, help, labels, aggregate) => getOrCreate({ name, help, type: 'gauge', labels, aggregate }),
    histogram: (name, help, labels, buckets) => getOrCreate({ name, help, type: 'histogram', labels, buckets }),
    snapshot: async () => [readDropped(dropped), ...Array.from(metrics.values(), (metric) => metric.read())],
    drop: (isOver) => metrics.forEach((metric) => metric.drop(isOver)),
  };
}
