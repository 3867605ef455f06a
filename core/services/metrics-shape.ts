import type { GaugeAggregate } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';

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

const isAscending = (buckets: readonly number[]): boolean => buckets.length > 0 && buckets.every((bound, index) => Number.isFinite(bound) && bound > (buckets[index - 1] ?? -Infinity));

/** What prom-client lets pass and Prometheus could not read. Names with two leading underscores are Prometheus' own. */
export const findFault = ({ labels, buckets }: MetricShape): string | undefined => {
  const own = labels.find((label) => label.startsWith('__'));
  if (own !== undefined) return `it cannot have a label named ${JSON.stringify(own)}`;
  if (new Set(labels).size < labels.length) return 'two of its labels have the same name';
  return buckets === undefined || isAscending(buckets) ? undefined : 'its buckets must be finite numbers, ascending, at least one';
};

const describe = ({ type, labels, aggregate, buckets }: MetricShape): string =>
  `a ${type} by (${labels.join(', ')})${aggregate === undefined ? '' : ` that aggregates by ${aggregate}`}${buckets === undefined ? '' : ` with the buckets ${buckets.join(', ')}`}`;

/** The help text may differ. @throws GatewayError where one name would mean two things */
export const checkSameShape = (known: MetricShape, asked: MetricShape): void => {
  if (describe(known) === describe(asked)) return;
  throw new GatewayError('internal_error', `The metric ${asked.name} is asked for as ${describe(asked)}, and is ${describe(known)} already. Ask for the same, or choose another name.`);
};
