import { omitUndefined } from '../../../core/api/codec.ts';
import { addSketch, quantileOf, type Sketch } from '../histogram.ts';
import { counterNames, sketchNames, type CounterName, type SketchName } from '../tables.ts';
import type { Group, Grouping } from './source.ts';
import type { UsageName } from './usage-name.ts';

export interface UsageQuery extends Grouping {
  /** Unix milliseconds; widened to whole hours, with `rows` to whole minutes, or to whole periods of `step`. */
  readonly from: number;
  readonly to: number;
  /** Reads the rows, for times that are shorter than those of the sums. */
  readonly rows?: boolean;
  /** The counters to sum up; others are 0. Fewer are faster, since SQLite sorts all of them. Absent: all. */
  readonly counters?: readonly CounterName[];
  /** Percentiles to read: 0.5 is the median. Absent: none. */
  readonly quantiles?: readonly number[];
}

/** Identifies a line. */
export interface UsageKey {
  readonly start?: number;
  readonly dimensions: Partial<Record<UsageName, string>>;
}
export interface UsageLine extends UsageKey {
  /** Money in nano-dollars. */
  readonly counters: Readonly<Record<CounterName, bigint>>;
  /** Milliseconds of successful exchanges, in the order of `quantiles`; absent: they were not asked for. */
  readonly percentiles?: Readonly<Record<SketchName, readonly (number | undefined)[]>>;
}

/** A row of a statement. */
export type Row = Readonly<Record<string, string | number | bigint | null>>;

/** A line whose figures are still added up. */
interface OpenLine {
  readonly key: UsageKey;
  readonly counters: Record<CounterName, bigint>;
  readonly sketches: Readonly<Record<SketchName, Sketch>>;
}

/** The values of `by` of a line. */
export const groupOf = ({ by }: Grouping, key: UsageKey | undefined): Group =>
  by.map((name) => key?.dimensions[name] ?? '');
const compareTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
const compareKeys = (query: Grouping, one: UsageKey, other: UsageKey): number => {
  if (one.start !== other.start) return (one.start ?? 0) - (other.start ?? 0);
  const second = groupOf(query, other);
  const differences = groupOf(query, one).map((value, index) => compareTexts(value, second[index] ?? ''));
  return differences.find((difference) => difference !== 0) ?? 0;
};

/** Adds up the rows of several statements. */
export class Lines {
  readonly #query: UsageQuery;
  #open = new Map<string, OpenLine>();

  constructor(query: UsageQuery) {
    this.#query = query;
  }

  get count(): number {
    return this.#open.size;
  }

  get keys(): readonly UsageKey[] {
    return [...this.#open.values()].map(({ key }) => key);
  }

  addCounters(row: Row, names: readonly CounterName[]): void {
    const name = this.#nameOf(row);
    let line = this.#open.get(name);
    if (line === undefined) this.#open.set(name, (line = this.#create(row)));
    for (const counter of names) line.counters[counter] += BigInt(row[counter] ?? 0);
  }

  /** Adds to a line that is there. */
  addSketches(row: Row): void {
    const line = this.#open.get(this.#nameOf(row));
    if (line !== undefined) for (const name of sketchNames) addSketch(line.sketches[name], String(row[name] ?? ''));
  }

  /** Sorts the lines and leaves out what is beyond the limit. */
  limit(limit = Infinity): void {
    const sorted = [...this.#open].toSorted(([, one], [, other]) => compareKeys(this.#query, one.key, other.key));
    this.#open = new Map(sorted.slice(0, limit));
  }

  close(): readonly UsageLine[] {
    const { quantiles } = this.#query;
    return [...this.#open.values()].map(({ key, counters, sketches }) => ({
      ...key,
      counters,
      ...(quantiles === undefined
        ? {}
        : {
            percentiles: {
              total_times: quantiles.map((quantile) => quantileOf(sketches.total_times, quantile)),
              first_times: quantiles.map((quantile) => quantileOf(sketches.first_times, quantile)),
            },
          }),
    }));
  }

  #nameOf(row: Row): string {
    const { step, by } = this.#query;
    return JSON.stringify([step === undefined ? null : Number(row['start']), ...by.map((each) => row[`g_${each}`])]);
  }

  #create(row: Row): OpenLine {
    const { step, by } = this.#query;
    return {
      key: omitUndefined({
        start: step === undefined ? undefined : Number(row['start']),
        dimensions: Object.fromEntries(by.map((name) => [name, String(row[`g_${name}`])])),
      }),
      counters: Object.fromEntries(counterNames.map((name) => [name, 0n])) as Record<CounterName, bigint>,
      sketches: { total_times: new Map(), first_times: new Map() },
    };
  }
}
