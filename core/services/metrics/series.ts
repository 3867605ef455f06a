import type { SeriesSnapshot } from '../../contracts/services.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { createFigures, type Figures } from './figures.ts';
import type { SeriesMemory, SeriesSlots } from './series-memory.ts';
import type { MetricShape } from './shape.ts';

/** One label combination of a metric, starting at zero. */
export class Series {
  readonly key: string;
  readonly labels: SeriesSnapshot['labels'];
  /** Bound to this series. @throws GatewayError for a value that is not finite, or would decrease a counter */
  readonly update: (value: number) => void;
  readonly #shape: MetricShape;
  readonly #memory: SeriesMemory;
  #slots: SeriesSlots;
  #figures: Figures;
  #isDropped = false;

  /**
   * @param current returns the series that has these label values now: this one, until it is dropped; it can add this
   * one again
   */
  constructor(
    shape: MetricShape,
    key: string,
    labels: SeriesSnapshot['labels'],
    memory: SeriesMemory,
    current: (series: Series) => Series,
  ) {
    this.#shape = shape;
    this.key = key;
    this.labels = labels;
    this.#memory = memory;
    this.#slots = memory.take(shape, labels);
    this.#figures = createFigures(shape, this.#slots);
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
    this.#memory.give(this.#slots);
  }

  restore(): void {
    this.#isDropped = false;
    this.#slots = this.#memory.take(this.#shape, this.labels);
    this.#figures = createFigures(this.#shape, this.#slots);
  }

  read(): SeriesSnapshot {
    return { labels: this.labels, figures: this.#figures.read() };
  }
}
