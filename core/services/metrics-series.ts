import type { MetricShape } from '../contracts/services.ts';
import { GatewayError } from '../errors.ts';

/** One combination of label values, and what updates it. */
export interface Series {
  readonly values: readonly string[];
  /** As in a snapshot. */
  readonly numbers: number[];
  readonly update: (value: number) => void;
}

const refuse = ({ name, type }: MetricShape, value: number): GatewayError => new GatewayError('internal_error', `The ${type} ${name} cannot take ${value}.`);

const createCounter = (shape: MetricShape, values: readonly string[]): Series => {
  const numbers = [0];
  return {
    values,
    numbers,
    update: (value) => {
      if (!(value >= 0 && value < Infinity)) throw refuse(shape, value);
      numbers[0] = (numbers[0] ?? 0) + value;
    },
  };
};

const createGauge = (shape: MetricShape, values: readonly string[]): Series => {
  const numbers = [0];
  return {
    values,
    numbers,
    update: (value) => {
      if (!Number.isFinite(value)) throw refuse(shape, value);
      numbers[0] = value;
    },
  };
};

const createHistogram = (shape: MetricShape, values: readonly string[]): Series => {
  const { buckets = [] } = shape;
  const numbers = Array.from<number>({ length: buckets.length + 2 }).fill(0);
  return {
    values,
    numbers,
    update: (value) => {
      if (!Number.isFinite(value)) throw refuse(shape, value);
      let bucket = 0;
      while (bucket < buckets.length && value > (buckets[bucket] ?? Infinity)) bucket += 1;
      numbers[0] = (numbers[0] ?? 0) + value;
      numbers[bucket + 1] = (numbers[bucket + 1] ?? 0) + 1;
    },
  };
};

const makers = { counter: createCounter, gauge: createGauge, histogram: createHistogram } as const;

/** A series at zero. Its update throws GatewayError for what is no number, or would make a counter fall. */
export const createSeries = (shape: MetricShape, values: readonly string[]): Series => makers[shape.type](shape, values);
