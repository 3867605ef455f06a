import type { MetricShape } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';

/** https://prometheus.io/docs/concepts/data_model: names with two leading underscores are Prometheus' own. */
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

const isAscending = (buckets: readonly number[]): boolean => buckets.length > 0 && buckets.every((bound, index) => Number.isFinite(bound) && bound > (buckets[index - 1] ?? -Infinity));

const findFault = ({ name, labels, buckets }: MetricShape): string | undefined => {
  if (!NAME.test(name)) return 'its name may have letters, digits, _ and : only';
  const wrong = labels.find((label) => !LABEL.test(label) || (buckets !== undefined && label === 'le'));
  if (wrong !== undefined) return `it cannot have a label named ${JSON.stringify(wrong)}`;
  if (new Set(labels).size < labels.length) return 'two of its labels have the same name';
  return buckets === undefined || isAscending(buckets) ? undefined : 'its buckets must be finite numbers, ascending, at least one';
};

/** @throws GatewayError where Prometheus could not read what would be exported */
export const checkShape = (shape: MetricShape): void => {
  const fault = findFault(shape);
  if (fault !== undefined) throw new GatewayError('internal_error', `The metric ${JSON.stringify(shape.name)} cannot be made: ${fault}.`);
};

const describe = ({ type, labels, aggregate, buckets }: MetricShape): string =>
  `a ${type} by (${labels.join(', ')})${aggregate === undefined ? '' : ` that aggregates by ${aggregate}`}${buckets === undefined ? '' : ` with the buckets ${buckets.join(', ')}`}`;

/** Can figures of the one stand beside figures of the other? The help text may differ. */
export const isSameShape = (one: MetricShape, other: MetricShape): boolean => describe(one) === describe(other);

/** @throws GatewayError where one name would mean two things */
export const checkSameShape = (known: MetricShape, asked: MetricShape): void => {
  if (isSameShape(known, asked)) return;
  throw new GatewayError('internal_error', `The metric ${asked.name} is asked for as ${describe(asked)}, and is ${describe(known)} already. Ask for the same, or choose another name.`);
};

/** Half a surrogate pair: no label value that is well-formed can hold it. */
const SEPARATOR = '\ud800';

/** Tells combinations of label values apart. */
export const keyOf = (values: readonly string[]): string => values.join(SEPARATOR);
