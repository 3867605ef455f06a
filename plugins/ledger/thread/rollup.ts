import { classOf } from '../../../core/api/internal.ts';
import { bucketOf, writeSketch, type Sketch } from '../histogram.ts';
import { startOf, type Step } from '../periods.ts';
import { at, type LedgerRow, type RowCharge } from '../row.ts';
import {
  countColumns,
  counterNames,
  sketchNames,
  viewNames,
  type CounterName,
  type LedgerTable,
  type SketchName,
  type UsageTable,
  type View,
} from '../tables.ts';
import type { StoredAttempt } from '../trail.ts';
import { findDimension, type Dimension, type FullDimension, type ExchangeDimensions } from './dimensions.ts';
import type { Value } from './insert.ts';

type Rows = readonly (readonly Value[])[];

/** What is counted for an exchange that was never settled. */
type Estimate = Pick<LedgerTable, 'target' | 'input_tokens' | 'cost'>;

/** The index of each counter in `Sums.counts`. */
const counterIndex = Object.fromEntries(counterNames.map((name, index) => [name, index])) as Record<
  CounterName,
  number
>;

type Count = number | bigint;
/** Becomes a bigint beyond the safe integers. */
const addExactly = (one: Count, other: Count): Count => {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(one) + BigInt(other);
};

/** The sums of one dimension in one period. */
class Sums<Of extends Dimension = Dimension> {
  readonly dimension: Of;
  readonly counts: Count[] = counterNames.map(() => 0);
  readonly times: Readonly<Record<SketchName, Sketch>> = { total_times: new Map(), first_times: new Map() };

  constructor(dimension: Of) {
    this.dimension = dimension;
  }

  add(name: CounterName, count: Count): void {
    const index = counterIndex[name];
    if (count !== 0) this.counts[index] = addExactly(this.counts[index] ?? 0, count);
  }

  addCost(source: string | null, cost: number | null): void {
    if (source === 'estimated') this.add('estimated', 1);
    if (cost === null) this.add('unpriced', 1);
    else this.add('cost', cost);
  }

  addTime(kind: SketchName, ms: number | null): void {
    if (ms !== null) this.addTimes(kind, bucketOf(ms), 1);
  }

  addTimes(kind: SketchName, bucket: number, count: number): void {
    this.times[kind].set(bucket, (this.times[kind].get(bucket) ?? 0) + count);
  }

  addAll({ counts, times }: Sums): void {
    for (const name of counterNames) this.add(name, counts[counterIndex[name]] ?? 0);
    for (const kind of sketchNames) for (const [bucket, count] of times[kind]) this.addTimes(kind, bucket, count);
  }
}

/** In the order that sums are written in. */
const steps: readonly Step[] = ['day', 'hour', 'month'];

/** Sums by the start of their period and the id of their dimension. */
type Periods<Of extends Dimension = FullDimension> = Map<number, Map<number, Sums<Of>>>;

const sumsOf = <Of extends Dimension>(periods: Periods<Of>, start: number, dimension: Of): Sums<Of> => {
  let period = periods.get(start);
  if (period === undefined) periods.set(start, (period = new Map<number, Sums<Of>>()));
  let sums = period.get(dimension.id);
  if (sums === undefined) period.set(dimension.id, (sums = new Sums(dimension)));
  return sums;
};

/** Sums up hours to longer periods. A single hour is shared: its sums are those of its day and its month. */
const combineHours = (hours: Periods, step: Step): Periods => {
  const periods: Periods = new Map();
  for (const [hour, period] of hours) {
    const start = startOf(step, hour);
    if (hours.size === 1) periods.set(start, period);
    else for (const sums of period.values()) sumsOf(periods, start, sums.dimension).addAll(sums);
  }
  return periods;
};

/** Sums up what is one for a view. */
const combineGroups = (full: Periods, view: View): Periods<Dimension> => {
  const periods: Periods<Dimension> = new Map();
  for (const [start, period] of full)
    for (const sums of period.values()) sumsOf(periods, start, sums.dimension.groups[view]).addAll(sums);
  return periods;
};

const byOrder = (one: Dimension, other: Dimension): number => (one.order < other.order ? -1 : 1);

/**
 * Adds up many exchanges in memory, so that each sum is written once. It returns rows sorted by their keys: processes
 * that write at the same time lock them in the same order and cannot deadlock.
 */
export class Rollup {
  readonly #hours: Periods = new Map();
  readonly #dimensions = new Map<number, FullDimension>();

  #sumsOf(ended: number, dimensions: ExchangeDimensions, target: string | null): Sums<FullDimension> {
    return sumsOf(this.#hours, startOf('hour', ended), this.#dimensionOf(dimensions, target));
  }

  #dimensionOf(dimensions: ExchangeDimensions, target: string | null): FullDimension {
    const dimension = findDimension(dimensions, target);
    this.#dimensions.set(dimension.id, dimension);
    return dimension;
  }

  /** Refused requests are not summed up. A search finds rows by their dimensions. */
  addRefused(row: LedgerRow): void {
    this.#dimensionOf(dimensionsOf(row), row[at.target]);
  }

  addSettled(row: LedgerRow): void {
    const ended = row[at.ended_at] ?? row[at.opened_at];
    const dimensions = dimensionsOf(row);
    const sums = this.#sumsOf(ended, dimensions, row[at.target]);
    const outcome = row[at.outcome] ?? 'gateway_error';
    sums.add('exchanges', 1);
    // There is no counter of shed requests: they are refused before they are admitted.
    if (outcome !== 'shed') sums.add(outcome, 1);
    if (row[at.attempts] > 1) this.#addRetried(ended, dimensions, row[at.trail]);
    sums.add('cache_saved', row[at.cache_saved] ?? 0);
    sums.add('cache_lost', row[at.cache_lost] ?? 0);
    if (outcome === 'ok') {
      sums.add('ok_ms', row[at.total_ms] ?? 0);
      sums.addTime('total_times', row[at.total_ms]);
      sums.addTime('first_times', row[at.first_content_ms]);
    }
    const charges = row[at.charges];
    if (charges !== null) return this.#addCharges(ended, dimensions, JSON.parse(charges) as readonly RowCharge[]);
    for (const name of countColumns) sums.add(name, row[at[name]]);
    sums.addCost(row[at.usage_source], row[at.cost]);
  }

  /** The last attempt is the exchange itself, which counts at its target. */
  #addRetried(ended: number, dimensions: ExchangeDimensions, trail: string | null): void {
    if (trail === null) return;
    for (const [target, , , , , outcome] of (JSON.parse(trail) as readonly StoredAttempt[]).slice(0, -1))
      if (classOf(outcome) === 'failure') this.#sumsOf(ended, dimensions, target).add('retried', 1);
  }

  #addCharges(ended: number, dimensions: ExchangeDimensions, charges: readonly RowCharge[]): void {
    for (const charge of charges) {
      const sums = this.#sumsOf(ended, dimensions, charge.target);
      for (const name of countColumns) sums.add(name, charge[name] ?? 0);
      sums.addCost(charge.usage_source, charge.cost === undefined ? null : Number(charge.cost));
    }
  }

  /** @param sign -1 when the exchange is settled after all: what was counted for it is subtracted */
  addAbandoned(
    dimensions: ExchangeDimensions,
    ended: number,
    { target, input_tokens: input, cost }: Estimate,
    sign: 1 | -1,
  ): void {
    const sums = this.#sumsOf(ended, dimensions, target);
    sums.add('exchanges', sign);
    sums.add('abandoned', sign);
    sums.add('estimated', sign);
    sums.add('input_tokens', sign * input);
    if (cost === null) sums.add('unpriced', sign);
    else sums.add('cost', BigInt(sign) * BigInt(cost));
  }

  /** @param known ids of dimensions that are in the table already */
  dimensions(known: ReadonlySet<number>): Rows {
    const unknown = [...this.#dimensions.values()].filter(({ id }) => !known.has(id));
    return unknown.toSorted(byOrder).map(({ values }) => values);
  }

  get dimensionIds(): Iterable<number> {
    return this.#dimensions.keys();
  }

  /** The groups of those dimensions. */
  groups(known: ReadonlySet<number>): Rows {
    const groups = new Map<number, Dimension>();
    for (const dimension of this.#dimensions.values())
      if (!known.has(dimension.id))
        for (const view of viewNames) groups.set(dimension.groups[view].id, dimension.groups[view]);
    return [...groups.values()].toSorted(byOrder).map(({ values }) => values);
  }

  /** The rows of `ledger_usage`: those of all dimensions before those of the views. */
  usage(): Rows {
    const full = steps.map((step) => [step, combineHours(this.#hours, step)] as const);
    return [
      ...full.flatMap(([step, periods]) => writePeriods(step, periods)),
      ...viewNames.flatMap((view) =>
        full.flatMap(([step, periods]) => writePeriods(`${view}/${step}`, combineGroups(periods, view))),
      ),
    ];
  }
}

const writePeriods = (step: UsageTable['step'], periods: Periods<Dimension>): Rows =>
  [...periods]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([start, period]) => {
      const all = [...period.values()].toSorted((one, other) => byOrder(one.dimension, other.dimension));
      return all.map(({ dimension, counts, times }) => [
        step,
        start,
        dimension.id,
        ...counts,
        ...sketchNames.map((name) => writeSketch(times[name])),
      ]);
    });

export const dimensionsOf = (row: LedgerRow): ExchangeDimensions => ({
  organization: row[at.organization],
  project: row[at.project],
  key: row[at.key],
  route: row[at.route],
  wire: row[at.wire],
  operation: row[at.operation],
  model: row[at.model],
});
