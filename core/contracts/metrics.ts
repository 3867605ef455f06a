/** A metric. Label values are bound once, not per update. */
export interface Metric {
  /**
   * Returns the update function of one combination of label values: adds to a counter, sets a gauge, observes a value
   * in a histogram. The same values return the same function. Use configured ids or fixed terms as values, never text
   * from a client. Beyond the maximum number of combinations every value becomes `other`.
   * @example const count = metrics.counter('hits_total', 'Hits.', ['key']).bind(['alice']); count(1);
   */
  bind(values: readonly string[]): (value: number) => void;
}

/** How a gauge of several processes is merged. */
export type GaugeAggregate = 'sum' | 'max' | 'min' | 'first';

/** A metric of one or several processes as plain JSON. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How processes are merged: `sum` for counters and histograms, the chosen aggregate for a gauge. */
  readonly aggregator: string;
  /** Upper bounds of a histogram, ascending, without the infinite one. */
  readonly buckets?: readonly number[];
  readonly series: readonly SeriesSnapshot[];
}

/** The values of one combination of labels. */
export interface SeriesSnapshot {
  readonly labels: Readonly<Record<string, string>>;
  /** The value of a counter or gauge. For a histogram the count up to each bound, the total count, and the sum. */
  readonly figures: readonly number[];
}

/** Every metric of one or several processes. */
export type MetricsSnapshot = readonly MetricSnapshot[];

/**
 * Registers metrics. An existing metric of the same name is returned, so that a reload can register again. Names and
 * labels are listed in docs/metrics.md.
 * @throws GatewayError if a name or label is invalid, or the name belongs to a metric of another type or other labels
 */
export interface Metrics {
  counter(name: string, help: string, labels: readonly string[]): Metric;
  gauge(name: string, help: string, labels: readonly string[], aggregate: GaugeAggregate): Metric;
  /** @param buckets upper bounds, ascending */
  histogram(name: string, help: string, labels: readonly string[], buckets: readonly number[]): Metric;
  /** The current values of this process. */
  snapshot(): Promise<MetricsSnapshot>;
}
