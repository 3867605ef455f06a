import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { GatewayError } from '../errors.ts';
import { findFault, type MetricShape } from './metrics-shape.ts';

type Update = (value: number) => void;
type LabelValues = Readonly<Record<string, string>>;
/** The combinations of label values of one metric. */
export interface Series {
  /** Puts one in, at zero. */
  bind(values: LabelValues): Update;
  /** Takes one out. Who still updates it puts it in again. */
  remove(values: LabelValues): void;
}

const createSeries = ({ name, help, type, labels, aggregate = 'sum', buckets = [] }: MetricShape, registry: Registry): Series => {
  const settings = { name, help, labelNames: labels, registers: [registry] };
  if (type === 'counter') {
    const counter = new Counter(settings);
    const bind = (values: LabelValues): Update => {
      counter.inc(values, 0);
      return counter.labels(values).inc;
    };
    return { bind, remove: (values) => counter.remove(values) };
  }
  if (type === 'gauge') {
    const gauge = new Gauge({ ...settings, aggregator: aggregate });
    const bind = (values: LabelValues): Update => {
      gauge.set(values, 0);
      return gauge.labels(values).set;
    };
    return { bind, remove: (values) => gauge.remove(values) };
  }
  const histogram = new Histogram({ ...settings, buckets: [...buckets] });
  const bind = (values: LabelValues): Update => {
    histogram.zero(values);
    return histogram.labels(values).observe;
  };
  return { bind, remove: (values) => histogram.remove(values) };
};

/** NaN would be added, and Infinity set: neither ever leaves a sum again. */
const checked =
  ({ name, type }: MetricShape, update: Update): Update =>
  (value) => {
    if (!Number.isFinite(value) || (type === 'counter' && value < 0)) throw new GatewayError('internal_error', `The ${type} ${name} cannot take ${value}.`);
    update(value);
  };

/** Registers a metric. Its updates throw GatewayError for what is no number, or would make a counter fall. @throws GatewayError where it could not be exported */
export const registerMetric = (shape: MetricShape, registry: Registry): Series => {
  const refuse = (fault: string): GatewayError => new GatewayError('internal_error', `The metric ${JSON.stringify(shape.name)} cannot be made: ${fault}.`);
  const fault = findFault(shape);
  if (fault !== undefined) throw refuse(fault);
  try {
    const { bind, remove } = createSeries(shape, registry);
    return { bind: (values) => checked(shape, bind(values)), remove };
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
};
