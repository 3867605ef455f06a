import { createHash } from 'node:crypto';
import { bucketOf } from '../histogram.ts';
import { startOf, type Step } from '../periods.ts';
import { counterNames, type CounterName, type DimensionsTable, type LatenciesTable } from '../tables.ts';
import { at, type LedgerRow, type RowCharge } from '../row.ts';
import type { Value } from './insert.ts';

type Kind = LatenciesTable['kind'];
type Rows = readonly (readonly Value[])[];

/** Whom an exchange belongs to, and what it asked. */
export type Subject = Omit<DimensionsTable, 'id' | 'provider' | 'target'>;

/** What an exchange that was never settled counts for. */
export interface Abandoned {
  readonly target: string | null;
  readonly input_tokens: number;
  readonly cost: number | bigint | null;
}

/** What usage is counted by. */
interface Dimension {
  readonly id: number;
  /** The id as text, by which sums are ordered. */
  readonly order: string;
  /** Its row. */
  readonly values: readonly Value[];
}

/** So many are remembered at a time. */
const MOST_DIMENSIONS = 10_000;
const remembered = new Map<string, Dimension>();

/** 52 bits: a number in JavaScript and in both databases. Two of a million have the same once in 9,000 ledgers. */
const digest = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);

const findDimension = (subject: Subject, target: string | null): Dimension => {
  const { organization, project, key, route, wire, operation, model } = subject;
  const name = `${organization}\0${project}\0${key}\0${route}\0${wire}\0${operation}\0${model}\0${target ?? ''}`;
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const values = [organization, project, key, route, wire, operation, model, target?.split('/')[0] ?? '', target ?? ''];
  const id = digest(JSON.stringify(values));
  const dimension = { id, order: String(id), values: [id, ...values] };
  if (remembered.size >= MOST_DIMENSIONS) remembered.clear();
  remembered.set(name, dimension);
  return dimension;
};

/** The place of each counter in a list of sums. */
const places = Object.fromEntries(counterNames.map((name, index) => [name, index])) as Record<CounterName, number>;
const tokenNames = [
  'input_tokens',
  'cache_read_tokens',
  'cache_write_5m_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
] as const;

type Count = number | bigint;
/** Exact: beyond what a number holds it goes on as a bigint. */
const addExactly = (one: Count, other: Count): Count => {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(one) + BigInt(other);
};

/** What is counted of one dimension in one period. */
class Sums {
  readonly dimension: Dimension;
  readonly counts: Count[] = counterNames.map(() => 0);
  /** How many took about so long, by bucket. */
  readonly times: Readonly<Record<Kind, Map<number, number>>> = { first_content: new Map(), total: new Map() };

  constructor(dimension: Dimension) {
    this.dimension = dimension;
  }

  add(name: CounterName, count: Count): void {
    const place = places[name];
    if (count !== 0) this.counts[place] = addExactly(this.counts[place] ?? 0, count);
  }

  spend(source: string | null, cost: number | null): void {
    if (source === 'estimated') this.add('estimated', 1);
    if (cost === null) this.add('unpriced', 1);
    else this.add('cost', cost);
  }

  time(kind: Kind, ms: number | null, count = 1): void {
    if (ms !== null) this.addTimes(kind, bucketOf(ms), count);
  }

  addTimes(kind: Kind, bucket: number, count: number): void {
    this.times[kind].set(bucket, (this.times[kind].get(bucket) ?? 0) + count);
  }

  addAll({ counts, times }: Sums): void {
    for (const name of counterNames) this.add(name, counts[places[name]] ?? 0);
    for (const kind of kinds) for (const [bucket, count] of times[kind]) this.addTimes(kind, bucket, count);
  }
}

/** Both in the order in which sums are written. */
const kinds: readonly Kind[] = ['first_content', 'total'];
const steps: readonly Step[] = ['day', 'hour', 'month'];

/** Sums by the beginning of their period and by their dimension. */
type Periods = Map<number, Map<number, Sums>>;

const sumsOf = (periods: Periods, start: number, dimension: Dimension): Sums => {
  let period = periods.get(start);
  if (period === undefined) periods.set(start, (period = new Map<number, Sums>()));
  let sums = period.get(dimension.id);
  if (sums === undefined) period.set(dimension.id, (sums = new Sums(dimension)));
  return sums;
};

/** Hours as longer periods. One hour alone is all there is of its day and its month. */
const gather = (hours: Periods, step: Step): Periods => {
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
 * Adds up what many exchanges count for, so that each sum is written once. Its rows are in the order of the columns of
 * each table, and of their keys: processes that write at once never wait for each other in a circle.
 */
export class Rollup {
  readonly #hours: Periods = new Map();
  readonly #dimensions = new Map<number, Dimension>();

  #sums(ended: number, subject: Subject, target: string | null): Sums {
    const dimension = findDimension(subject, target);
    this.#dimensions.set(dimension.id, dimension);
    return sumsOf(this.#hours, startOf('hour', ended), dimension);
  }

  settled(row: LedgerRow): void {
    const ended = row[at.ended_at] ?? row[at.opened_at];
    const subject = describeSubject(row);
    const sums = this.#sums(ended, subject, row[at.target]);
    const outcome = row[at.outcome] ?? 'gateway_error';
    sums.add('exchanges', 1);
    // What was shed was never admitted.
    if (outcome !== 'shed') sums.add(outcome, 1);
    sums.add('cache_saved', row[at.cache_saved] ?? 0);
    sums.add('cache_lost', row[at.cache_lost] ?? 0);
    if (outcome === 'ok') {
      sums.add('ok_ms', row[at.total_ms] ?? 0);
      sums.time('total', row[at.total_ms]);
      sums.time('first_content', row[at.first_content_ms]);
    }
    const charges = row[at.charges];
    if (charges !== null) return this.#charges(ended, subject, JSON.parse(charges) as readonly RowCharge[]);
    for (const name of tokenNames) sums.add(name, row[at[name]]);
    sums.spend(row[at.usage_source], row[at.cost]);
  }

  #charges(ended: number, subject: Subject, charges: readonly RowCharge[]): void {
    for (const charge of charges) {
      const sums = this.#sums(ended, subject, charge.target);
      for (const name of tokenNames) sums.add(name, charge[name]);
      sums.spend(charge.usage_source, charge.cost === undefined ? null : Number(charge.cost));
    }
  }

  /** @param sign -1: it is settled after all, and what was counted for it is taken back */
  abandoned(subject: Subject, ended: number, { target, input_tokens: input, cost }: Abandoned, sign: 1 | -1): void {
    const sums = this.#sums(ended, subject, target);
    sums.add('exchanges', sign);
    sums.add('abandoned', sign);
    sums.add('estimated', sign);
    sums.add('input_tokens', sign * input);
    if (cost === null) sums.add('unpriced', sign);
    else sums.add('cost', BigInt(sign) * BigInt(cost));
  }

  /** @param known ids of those that the table has */
  dimensions(known: ReadonlySet<number>): Rows {
    const unknown = [...this.#dimensions.values()].filter(({ id }) => !known.has(id));
    return unknown.toSorted(byOrder).map(({ values }) => values);
  }

  /** Ids. */
  get counted(): Iterable<number> {
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
      const periods = [...gather(this.#hours, step)].toSorted(([one], [other]) => one - other);
      return periods.flatMap(([start, period]) => {
        const all = [...period.values()].toSorted((one, other) => byOrder(one.dimension, other.dimension));
        return all.flatMap((sums) => write(step, start, sums));
      });
    });
  }
}

/** Whom the row of an exchange belongs to. */
export const describeSubject = (row: LedgerRow): Subject => ({
  organization: row[at.organization],
  project: row[at.project],
  key: row[at.key],
  route: row[at.route],
  wire: row[at.wire],
  operation: row[at.operation],
  model: row[at.model],
});
