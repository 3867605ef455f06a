import { Counter, Registry } from 'prom-client';
import type { Metric, Metrics } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';
import { registerMetric } from './metrics-bind.ts';
import { readRegistry } from './metrics-read.ts';
import { checkSameShape, type MetricShape } from './metrics-shape.ts';

/** How many combinations of label values there may be; a histogram's many lines are one of them. */
export interface MetricCaps {
  readonly perMetric: number;
  readonly total: number;
}
const usualCaps: MetricCaps = { perMetric: 2_000, total: 20_000 };

/** The metrics of this process, as their owner sees them. */
export interface OwnMetrics extends Metrics {
  /** Takes out every combination of label values of which this is true. */
  drop(isOver: (labels: Readonly<Record<string, string>>, metric: string) => boolean): void;
}
type OwnMetric = Metric & { readonly shape: MetricShape } & Pick<OwnMetrics, 'drop'>;

/** Half a surrogate pair: no label value that is well-formed can hold it. */
const SEPARATOR = '\ud800';

/** prom-client tells combinations apart by `name:value,` after each other. */
const cleanValue = (value: string): string => value.toWellFormed().replaceAll(/,(?=[a-zA-Z_]\w*:)/g, ';');

/** The metrics of one process, kept by prom-client. Over a cap, new combinations of label values share one whose values are all `other`. */
export const createMetrics = ({ perMetric, total }: MetricCaps = usualCaps): OwnMetrics => {
  const registry = new Registry();
  const dropped = new Counter({
    name: 'koine_metrics_series_dropped_total',
    help: 'Combinations of label values that became "other" because a cap was reached.',
    labelNames: ['metric'],
    registers: [registry],
  });
  const metrics = new Map<string, OwnMetric>();
  let taken = 0;

  const create = (shape: MetricShape): OwnMetric => {
    const { name, labels } = shape;
    const series = registerMetric(shape, registry);
    const bound = new Map<string, { readonly values: Readonly<Record<string, string>>; readonly update: (value: number) => void }>();
    const add = (key: string, given: readonly string[]) => {
      const values = Object.fromEntries(labels.map((label, index) => [label, given[index] ?? '']));
      const update = series.bind(values);
      bound.set(key, { values, update });
      return update;
    };
    const others = labels.map(() => 'other');
    const otherKey = others.join(SEPARATOR);
    // The place of `other`, or of the only one where there are no labels.
    taken += 1;
    return {
      shape,
      bind: (given) => {
        if (given.length !== labels.length) throw new GatewayError('internal_error', `The metric ${name} has the labels (${labels.join(', ')}) and was given ${given.length} values.`);
        const values = given.map(cleanValue);
        const key = values.join(SEPARATOR);
        const known = bound.get(key);
        if (known !== undefined) return known.update;
        if (key === otherKey) return add(key, values);
        if (bound.size < perMetric - 1 && taken < total) {
          taken += 1;
          return add(key, values);
        }
        dropped.inc({ metric: name });
        return bound.get(otherKey)?.update ?? add(otherKey, others);
      },
      drop: (isOver) => {
        for (const [key, { values }] of bound) {
          if (!isOver(values, name)) continue;
          bound.delete(key);
          series.remove(values);
          if (key !== otherKey) taken -= 1;
        }
      },
    };
  };

  const getOrCreate = (shape: MetricShape): Metric => {
    const known = metrics.get(shape.name);
    if (known !== undefined) {
      checkSameShape(known.shape, shape);
      return known;
    }
    const made = create(shape);
    metrics.set(shape.name, made);
    return made;
  };

  return {
    counter: (name, help, labels) => getOrCreate({ name, help, type: 'counter', labels }),
    gauge: (name, help, labels, aggregate) => getOrCreate({ name, help, type: 'gauge', labels, aggregate }),
    histogram: (name, help, labels, buckets) => getOrCreate({ name, help, type: 'histogram', labels, buckets }),
    snapshot: () => readRegistry(registry),
    drop: (isOver) => metrics.forEach((metric) => metric.drop(isOver)),
  };
};
