import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { GaugeAggregate, MetricSnapshot, SeriesSnapshot } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** The definition of a metric, without its values. */
export interface MetricShape {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** For a gauge. */
  readonly aggregate?: GaugeAggregate;
  /** For a histogram: upper bounds, ascending, without the infinite one. */
  readonly buckets?: readonly number[];
}

const isAscending = (buckets: readonly number[]): boolean =>
  buckets.length > 0 &&
  buckets.every((bound, index) => Number.isFinite(bound) && bound > (buckets[index - 1] ?? -Infinity));

/** https://prometheus.io/docs/concepts/data_model/#metric-names-and-labels */
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Why Prometheus could not read the metric. Names with two leading underscores are reserved. */
const findFault = ({ name, help, type, labels, buckets }: MetricShape): string | undefined => {
  if (help === '') return 'Missing mandatory help parameter';
  if (!METRIC_NAME.test(name)) return 'Invalid metric name';
  if (!labels.every((label) => LABEL_NAME.test(label))) return 'Invalid label name';
  if (type === 'histogram' && labels.includes('le')) return 'le is a reserved label keyword';
  const own = labels.find((label) => label.startsWith('__'));
  if (own !== undefined) return `it cannot have a label named ${JSON.stringify(own)}`;
  if (new Set(labels).size < labels.length) return 'two of its labels have the same name';
  return buckets === undefined || isAscending(buckets)
    ? undefined
    : 'its buckets must be finite numbers, ascending, at least one';
};

/** @throws GatewayError if the metric could not be exported */
export function checkShape(shape: MetricShape): void {
  const fault = findFault(shape);
  if (fault !== undefined) throw refuseMetric(shape.name, fault);
}

export const refuseMetric = (name: string, fault: string): GatewayError =>
  new GatewayError('internal_error', `The metric ${JSON.stringify(name)} cannot be created: ${fault}.`);

const describe = ({ type, labels, aggregate, buckets }: MetricShape): string =>
  [
    `a ${type} by (${labels.join(', ')})`,
    ...(aggregate === undefined ? [] : [`that aggregates by ${aggregate}`]),
    ...(buckets === undefined ? [] : [`with the buckets ${buckets.join(', ')}`]),
  ].join(' ');

/** The help text can differ. @throws GatewayError if the two definitions of one name differ otherwise */
export function checkSameShape(known: MetricShape, requested: MetricShape): void {
  if (describe(known) === describe(requested)) return;
  throw new GatewayError(
    'internal_error',
    `The metric ${requested.name} cannot be registered as ${describe(requested)}: ` +
      `it exists as ${describe(known)}. Choose another name.`,
  );
}

export const snapshotOf = (
  { name, help, type, aggregate = 'sum', buckets }: MetricShape,
  series: readonly SeriesSnapshot[],
): MetricSnapshot => omitUndefined({ name, help, type, aggregator: aggregate, buckets, series });
