import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { GatewayError } from '../errors.ts';
import { findFault, type MetricShape } from './metrics-shape.ts';

type Update = (value: number) => void;
/** Puts a combination of label values into its metric, at zero. */
export type BindSeries = (labels: Readonly<Record<string, string>>) => Update;

const createBind = ({ name, help, type, labels, aggregate = 'sum', buckets = [] }: MetricShape, registry: Registry): BindSeries => {
  const settings = { name, help, labelNames: labels, registers: [registry] };
  if (type === 'counter') {
    const counter = new Counter(settings);
    return (values) => {
      counter.inc(values, 0);
      return counter.labels(values).inc;
    };
  }
  if (type === 'gauge') {
    const gauge = new Gauge({ ...settings, aggregator: aggregate });
    return (values) => {
      gauge.set(values, 0);
      return gauge.labels(values).set;
    };
  }
  const histogram = new Histogram({ ...settings, buckets: [...buckets] });
  return (values) => {
    histogram.zero(values);
    return histogram.labels(values).observe;
  };
};

/** NaN would be added, and Infinity set: neither ever leaves a sum again. */
const checked =
  ({ name, type }: MetricShape, update: Update): Update =>
  (value) => {
    if (!Number.isFinite(value) || (type === 'counter' && value < 0)) throw new GatewayError('internal_error', `The ${type} ${name} cannot take ${value}.`);
    update(value);
  };

/** Registers a metric. Its updates throw GatewayError for what is no number, or would make a counter fall. @throws GatewayError where it could not be exported */
export const registerMetric = (shape: MetricShape, registry: Registry): BindSeries => {
  const refuse = (fault: string): GatewayError => new GatewayError('internal_error', `The metric ${JSON.stringify(shape.name)} cannot be made: ${fault}.`);
  const fault = findFault(shape);
  if (fault !== undefined) throw refuse(fault);
  try {
    const bind = createBind(shape, registry);
    return (values) => checked(shape, bind(values));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
};
