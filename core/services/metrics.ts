import { Counter, Gauge, Histogram, Registry, type MetricConfiguration } from 'prom-client';
import type { GaugeAggregate, Metric, Metrics } from '../contracts/services.ts';

export interface MetricsRegistry extends Metrics {
  /** In the text format of Prometheus. */
  text(): Promise<string>;
}

/** The metrics of one process, on prom-client. */
export const createMetrics = (): MetricsRegistry => {
  const registry = new Registry();
  const known = new Map<string, Metric>();
  const getOrCreate = (name: string, create: (configuration: MetricConfiguration<string>) => Metric, help: string, labelNames: readonly string[]): Metric => {
    const metric = known.get(name) ?? create({ name, help, labelNames: [...labelNames], registers: [registry] });
    known.set(name, metric);
    return metric;
  };
  return {
    counter: (name, help, labels) =>
      getOrCreate(name, (configuration) => {
        const counter = new Counter(configuration);
        return { bind: (values) => { const child = counter.labels(...values); return (value) => child.inc(value); } };
      }, help, labels),
    gauge: (name, help, labels, aggregate: GaugeAggregate) =>
      getOrCreate(name, (configuration) => {
        const gauge = new Gauge({ ...configuration, aggregator: aggregate });
        return { bind: (values) => { const child = gauge.labels(...values); return (value) => child.set(value); } };
      }, help, labels),
    histogram: (name, help, labels, buckets) =>
      getOrCreate(name, (configuration) => {
        const histogram = new Histogram({ ...configuration, buckets: [...buckets] });
        return { bind: (values) => { const child = histogram.labels(...values); return (value) => child.observe(value); } };
      }, help, labels),
    text: () => registry.metrics(),
  };
};
