import { createHash } from 'node:crypto';
import { classOf } from '../../../core/api/internal.ts';
import { bucketOf } from '../histogram.ts';
import { startOf, type Step } from '../periods.ts';
import { at, type LedgerRow, type RowCharge } from '../row.ts';
import { countColumns, counterNames, type CounterName, type DimensionsTable, type LatenciesTable } from '../tables.ts';
import type { StoredAttempt } from '../trail.ts';
import type { Value } from './insert.ts';

type Kind = LatenciesTable['kind'];
type Rows = readonly (readonly Value[])[];

/** The dimensions of an exchange that do not depend on its target. */
export type Subject = Omit<DimensionsTable, 'id' | 'provider' | 'target'>;

/** What is counted for an exchange that was never settled. */
export interface Estimate {
  readonly target: string | null;
  readonly input_tokens: number;
  readonly cost: number | bigint | null;
}

/** One combination of dimensions. */
interface Dimension {
  readonly id: number;
  /** The id as text: sums are sorted by it. */
  readonly order: string;
  /** Its row in `ledger_dimensions`. */
  readonly values: readonly Value[];
}

const MAX_CACHED_DIMENSIONS = 10_000;
const dimensionCache = new Map<string, Dimension>();

/** 52 bits: a number in JavaScript and in both databases. Of 9,000 ledgers with a million ids, one has a collision. */
const digest = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);

const findDimension = (subject: Subject, target: string | null): Dimension => {
  const { organization, project, key, route, wire, operation, model } = subject;
  const name = `${organization}\0${project}\0${key}\0${route}\0${wire}\0${operation}\0${model}\0${target ?? ''}`;
  const cached = dimensionCache.get(name);
  if (cached !== undefined) return cached;
  const values = [organization, project, key, route, wire, operation, model, target?.split('/')[0] ?? '', target ?? ''];
  const id = digest(JSON.stringify(values));
  const dimension = { id, order: String(id), values: [id, ...values] };
  if (dimensionCache.size >= MAX_CACHED_DIMENSIONS) dimensionCache.clear();
  dimensionCache.set(name, dimension);
  return dimension;
};

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
class Sums {
  readonly dimension: Dimension;
  readonly counts: Count[] = counterNames.map(() => 0);
  /** Histograms of durations: counts by bucket. */
  readonly times: Readonly<Record<Kind, Map<number, number>>> = { first_content: new Map(), total: new Map() };

  constructor(dimension: Dimension) {
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

  addTime(kind: Kind, ms: number | null): void {
    if (ms !== null) this.addTimes(kind, bucketOf(ms), 1);
  }

  addTimes(kind: Kind, bucket: number, count: number): void {
    this.times[kind].set(bucket, (this.times[kind].get(bucket) ?? 0) + count);
  }

  addAll({ counts, times }: Sums): void {
    for (const name of counterNames) this.add(name, counts[counterIndex[name]] ?? 0);
    for (const kind of kinds) for (const [bucket, count] of times[kind]) this.addTimes(kind, bucket, count);
  }
}

/** Both are in the order that sums are written in. */
const kinds: readonly Kind[] = ['first_content', 'total'];
const steps: readonly Step[] = ['day', 'hour', 'month'];

/** Sums by the start of their period and the id of their dimension. */
type Periods = Map<number, Map<number, Sums>>;

const sumsOf = (periods: Periods, start: number, dimension: Dimension): Sums => {
  let period = periods.get(start);
  if (period === undefined) periods.set(start, (period = new Map<number, Sums>()));
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

const byOrder = (one: Dimension, other: Dimension): number => (one.order < other.order ? -1 : 1);

/**
 * Adds up many exchanges in memory, so that each sum is written once. It returns rows sorted by their keys: processes
 * that write at the same time lock them in the same order and cannot deadlock.
 */
export class Rollup {
  readonly #hours: Periods = new Map();
  readonly #dimensions = new Map<number, Dimension>();

  #sumsOf(ended: number, subject: Subject, target: string | null): Sums {
    return sumsOf(this.#hours, startOf('hour', ended), this.#dimensionOf(subject, target));
  }

  #dimensionOf(subject: Subject, target: string | null): Dimension {
    const dimension = findDimension(subject, target);
    this.#dimensions.set(dimension.id, dimension);
    return dimension;
  }

  /** Refused requests are not summed up. A search finds rows by their dimensions. */
  addRefused(row: LedgerRow): void {
    this.#dimensionOf(subjectOf(row), row[at.target]);
  }

  addSettled(row: LedgerRow): void {
    const ended = row[at.ended_at] ?? row[at.opened_at];
    const subject = subjectOf(row);
    const sums = this.#sumsOf(ended, subject, row[at.target]);
    const outcome = row[at.outcome] ?? 'gateway_error';
    sums.add('exchanges', 1);
    // There is no counter of shed requests: they are refused before they are admitted.
    if (outcome !== 'shed') sums.add(outcome, 1);
    if (row[at.attempts] > 1) this.#addRetried(ended, subject, row[at.trail]);
    sums.add('cache_saved', row[at.cache_saved] ?? 0);
    sums.add('cache_lost', row[at.cache_lost] ?? 0);
    if (outcome === 'ok') {
      sums.add('ok_ms', row[at.total_ms] ?? 0);
      sums.addTime('total', row[at.total_ms]);
      sums.addTime('first_content', row[at.first_content_ms]);
    }
    const charges = row[at.charges];
    if (charges !== null) return this.#addCharges(ended, subject, JSON.parse(charges) as readonly RowCharge[]);
    for (const name of countColumns) sums.add(name, row[at[name]]);
    sums.addCost(row[at.usage_source], row[at.cost]);
  }

  /** The last attempt is the exchange itself, which counts at its target. */
  #addRetried(ended: number, subject: Subject, trail: string | null): void {
    if (trail === null) return;
    for (const [target, , , , , outcome] of (JSON.parse(trail) as readonly StoredAttempt[]).slice(0, -1))
      if (classOf(outcome) === 'failure') this.#sumsOf(ended, subject, target).add('retried', 1);
  }

  #addCharges(ended: number, subject: Subject, charges: readonly RowCharge[]): void {
    for (const charge of charges) {
      const sums = this.#sumsOf(ended, subject, charge.target);
      for (const name of countColumns) sums.add(name, charge[name] ?? 0);
      sums.addCost(charge.usage_source, charge.cost === undefined ? null : Number(charge.cost));
    }
  }

  /** @param sign -1 when the exchange is settled after all: what was counted for it is subtracted */
  addAbandoned(subject: Subject, ended: number, { target, input_tokens: input, cost }: Estimate, sign: 1 | -1): void {
    const sums = this.#sumsOf(ended, subject, target);
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

  usage(): Rows {
    return this.#inPeriods((step, start, { dimension, counts }) => [[step, start, dimension.id, ...counts]]);
  }

  latencies(): Rows {
    return this.#inPeriods((step, start, { dimension, times }) =>
      kinds.flatMap((kind) => {
        const buckets = [...times[kind]].toSorted(([one], [other]) => one - other);
        return buckets.map(([bucket, count]) => [step, start, dimension.id, kind, bucket, count]);
      }),
    );
  }

  #inPeriods(write: (step: Step, start: number, sums: Sums) => Rows): Rows {
    return steps.flatMap((step) => {
      const periods = [...combineHours(this.#hours, step)].toSorted(([one], [other]) => one - other);
      return periods.flatMap(([start, period]) => {
        const all = [...period.values()].toSorted((one, other) => byOrder(one.dimension, other.dimension));
        return all.flatMap((sums) => write(step, start, sums));
      });
    });
  }
}

export const subjectOf = (row: LedgerRow): Subject => ({
  organization: row[at.organization],
  project: row[at.project],
  key: row[at.key],
  route: row[at.route],
  wire: row[at.wire],
  operation: row[at.operation],
  model: row[at.model],
});
