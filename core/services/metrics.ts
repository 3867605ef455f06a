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

/** Half a surrogate pair: no label value that is well-formed can hold it. */
const SEPARATOR = '\ud800';

/** prom-client tells combinations apart by `name:value,` after each other. */
const cleanValue = (value: string): string => value.toWellFormed().replaceAll(/,(?=[a-zA-Z_]\w*:)/g, ';');

/** The metrics of one process, kept by prom-client. Over a cap, new combinations of label values share one whose values are all `other`. */
export const createMetrics = ({ perMetric, total }: MetricCaps = usualCaps): Metrics => {
  const registry = new Registry();
  const dropped = new Counter({
    name: 'koine_metrics_series_dropped_total',
    help: 'Combinations of label values that became "other" because a cap was reached.',
    labelNames: ['metric'],
    registers: [registry],
  });
  const metrics = new Map<string, Metric & { readonly shape: MetricShape }>();
  let taken = 0;

  const create = (shape: MetricShape): Metric & { readonly shape: MetricShape } => {
    const { name, labels } = shape;
    const register = registerMetric(shape, registry);
    const bound = new Map<string, (value: number) => void>();
    const add = (key: string, values: readonly string[]) => {
      const update = register(Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ''])));
      bound.set(key, update);
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
        if (known !== undefined) return known;
        if (key === otherKey) return add(key, values);
        if (bound.size < perMetric - 1 && taken < total) {
          taken += 1;
          return add(key, values);
        }
        dropped.inc({ metric: name });
        return bound.get(otherKey) ?? add(otherKey, others);
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
  };
};
