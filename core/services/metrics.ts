import type { Metric, Metrics, MetricShape } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';
import { createSeries, type Series } from './metrics-series.ts';
import { checkSameShape, checkShape, keyOf } from './metrics-shape.ts';

/** How many combinations of label values there may be; a histogram's many lines are one of them. */
export interface MetricCaps {
  readonly perMetric: number;
  readonly total: number;
}
const usualCaps: MetricCaps = { perMetric: 2_000, total: 20_000 };

interface Table extends Metric {
  readonly shape: MetricShape;
  readonly series: ReadonlyMap<string, Series>;
}

interface TableParts {
  /** Takes a place for one more, where there is one. */
  takePlace(taken: number): boolean;
  /** One more combination has become `other`. */
  drop(): void;
}

const createTable = (shape: MetricShape, { takePlace, drop }: TableParts): Table => {
  const series = new Map<string, Series>();
  const add = (values: readonly string[]): Series => {
    const made = createSeries(shape, values);
    series.set(keyOf(values), made);
    return made;
  };
  const others = shape.labels.map(() => 'other');
  const overflow = (): Series => series.get(keyOf(others)) ?? add(others);
  return {
    shape,
    series,
    bind: (given) => {
      if (given.length !== shape.labels.length) throw new GatewayError('internal_error', `The metric ${shape.name} has the labels (${shape.labels.join(', ')}) and was given ${given.length} values.`);
      const values = given.map((value) => value.toWellFormed());
      const known = series.get(keyOf(values));
      if (known !== undefined) return known.update;
      if (values.length === 0) return overflow().update;
      if (takePlace(series.size)) return add(values).update;
      drop();
      return overflow().update;
    },
  };
};

/**
 * The metrics of one process. The figures are numbers in arrays, updated by closures that look nothing up: see
 * core/decisions/2026-11-21-metrics-in-arrays.md. Over a cap, new combinations of label values share one whose values are all `other`.
 */
export const createMetrics = ({ perMetric, total }: MetricCaps = usualCaps): Metrics => {
  const tables = new Map<string, Table>();
  let taken = 0;

  const dropped = createTable(
    { name: 'koine_metrics_series_dropped_total', help: 'Combinations of label values that became "other" because a cap was reached.', type: 'counter', labels: ['metric'] },
    { takePlace: () => true, drop: () => {} },
  );
  tables.set(dropped.shape.name, dropped);

  const getOrCreate = (shape: MetricShape): Metric => {
    const known = tables.get(shape.name);
    if (known !== undefined) {
      checkSameShape(known.shape, shape);
      return known;
    }
    checkShape(shape);
    const table = createTable(shape, {
      takePlace: (own) => {
        if (own >= perMetric - 1 || taken >= total) return false;
        taken += 1;
        return true;
      },
      drop: () => dropped.bind([shape.name])(1),
    });
    tables.set(shape.name, table);
    // The place of `other`, or of the only one where there are no labels.
    taken += 1;
    return table;
  };

  return {
    counter: (name, help, labels) => getOrCreate({ name, help, type: 'counter', labels }),
    gauge: (name, help, labels, aggregate) => getOrCreate({ name, help, type: 'gauge', labels, aggregate }),
    histogram: (name, help, labels, buckets) => getOrCreate({ name, help, type: 'histogram', labels, buckets }),
    snapshot: () => Array.from(tables.values(), ({ shape, series }) => ({ ...shape, series: Array.from(series.values(), ({ values, numbers }) => ({ values, numbers: [...numbers] })) })),
  };
};
