import type { GaugeAggregate } from '../../contracts/metrics.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** What a metric is, without its figures. */
export interface MetricShape {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** Of a gauge. */
  readonly aggregate?: GaugeAggregate;
  /** Of a histogram: upper bounds, ascending, without the infinite one. */
  readonly buckets?: readonly number[];
}

const isAscending = (buckets: readonly number[]): boolean =>
  buckets.length > 0 &&
  buckets.every((bound, index) => Number.isFinite(bound) && bound > (buckets[index - 1] ?? -Infinity));

/** https://prometheus.io/docs/concepts/data_model/#metric-names-and-labels */
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** What Prometheus could not read. Names with two leading underscores are its own. */
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

/** @throws GatewayError where the metric could not be exported */
export function checkShape(shape: MetricShape): void {
  const fault = findFault(shape);
  if (fault !== undefined) throw refuseMetric(shape.name, fault);
}

export const refuseMetric = (name: string, fault: string): GatewayError =>
  new GatewayError('internal_error', `The metric ${JSON.stringify(name)} cannot be made: ${fault}.`);

const describe = ({ type, labels, aggregate, buckets }: MetricShape): string =>
  `a ${type} by (${labels.join(', ')})${aggregate === undefined ? '' : ` that aggregates by ${aggregate}`}${buckets === undefined ? '' : ` with the buckets ${buckets.join(', ')}`}`;

/** The help text may differ. @throws GatewayError where one name would mean two things */
export function checkSameShape(known: MetricShape, asked: MetricShape): void {
  if (describe(known) === describe(asked)) return;
  throw new GatewayError(
    'internal_error',
    `The metric ${asked.name} is asked for as ${describe(asked)}, and is ${describe(known)} already. Ask for the same, or choose another name.`,
  );
}
