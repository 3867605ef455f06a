import type { SeriesSnapshot } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { MetricShape } from './shape.ts';

/** The values of one label combination. */
interface Figures {
  /** Adds to a counter, sets a gauge, observes in a histogram. */
  take(value: number): void;
  /** A copy, in the form of a snapshot. */
  read(): readonly number[];
}

class CounterFigure implements Figures {
  #total = 0;

  take(value: number): void {
    this.#total += value;
  }

  read(): readonly number[] {
    return [this.#total];
  }
}

class GaugeFigure implements Figures {
  #value = 0;

  take(value: number): void {
    this.#value = value;
  }

  read(): readonly number[] {
    return [this.#value];
  }
}

/** Each value is counted in one bucket; `read` accumulates the buckets. */
class HistogramFigures implements Figures {
  readonly #bounds: readonly number[];
  /** The last one is the infinite bucket. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  take(value: number): void {
    const bounds = this.#bounds;
    const counts = this.#counts;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
    counts[at] = (counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  read(): readonly number[] {
    let total = 0;
    const figures = this.#counts.map((count) => (total += count));
    figures.push(this.#sum);
    return figures;
  }
}

const createFigures = ({ type, buckets = [] }: MetricShape): Figures => {
  if (type === 'histogram') return new HistogramFigures(buckets);
  return type === 'counter' ? new CounterFigure() : new GaugeFigure();
};

/** One label combination of a metric, starting at zero. */
export class Series {
  readonly key: string;
  readonly labels: SeriesSnapshot['labels'];
  /** Bound to this series. @throws GatewayError for a value that is not finite, or would decrease a counter */
  readonly update: (value: number) => void;
  readonly #shape: MetricShape;
  #figures: Figures;
  #isDropped = false;

  /**
   * @param current returns the series that has these label values now: this one, until it is dropped; it can add this
   * one again
   */
  constructor(shape: MetricShape, key: string, labels: SeriesSnapshot['labels'], current: (series: Series) => Series) {
    this.#shape = shape;
    this.key = key;
    this.labels = labels;
    this.#figures = createFigures(shape);
    this.update = (value) => {
      // NaN and Infinity would stay in a sum for ever.
      if (!Number.isFinite(value) || (value < 0 && shape.type === 'counter'))
        throw new GatewayError('internal_error', `The ${shape.type} ${shape.name} cannot take ${value}.`);
      (this.#isDropped ? current(this) : this).#figures.take(value);
    };
  }

  /** Removes it from the metric. A later update adds it again, from zero. */
  drop(): void {
    this.#isDropped = true;
  }

  restore(): void {
    this.#isDropped = false;
    this.#figures = createFigures(this.#shape);
  }

  read(): SeriesSnapshot {
    return { labels: this.labels, figures: this.#figures.read() };
  }
}
