import { createHash } from 'node:crypto';
import { bucketOf } from '../histogram.ts';
import { startOf, type Step } from '../periods.ts';
import { counterNames, dimensionNames, type CounterName, type DimensionsTable, type LatenciesTable, type OutcomeName } from '../tables.ts';
import type { LedgerRow, RowCharge } from '../row.ts';
import type { Value } from './insert.ts';

type Kind = LatenciesTable['kind'];

/** Whom an exchange belongs to, and what it asked. */
export type Subject = Pick<DimensionsTable, 'organization' | 'project' | 'key' | 'route' | 'wire' | 'operation' | 'model'>;

/** What an exchange that was never settled counts for. */
export interface Abandoned {
  readonly target: string | null;
  readonly input_tokens: number;
  readonly cost: bigint | null;
}

/** 52 bits of a digest: a number in JavaScript and in both databases. Two of a million have the same once in 9,000 ledgers. */
const digest = (text: string): number => Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);
const sorted = <T>(map: ReadonlyMap<string, T>): readonly T[] => [...map].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
const steps: readonly Step[] = ['hour', 'day', 'month'];

/** Adds up what many exchanges count for, so that each sum is written once. */
export interface Rollup {
  settled(row: LedgerRow): void;
  /** @param sign -1: it is settled after all, and what was counted for it is taken back */
  abandoned(subject: Subject, at: number, estimate: Abandoned, sign: 1 | -1): void;
  /** Rows in the order of the columns of each table, and of their keys: processes that write at once never wait for each other in a circle. */
  dimensions(): readonly (readonly Value[])[];
  usage(): readonly (readonly Value[])[];
  latencies(): readonly (readonly Value[])[];
}

type Counters = Partial<Record<CounterName, number | bigint>>;

/** Sums by what they belong to: the columns of its key. */
class Sums {
  readonly entries = new Map<string, { readonly key: readonly Value[]; readonly sums: (number | bigint)[] }>();

  add(key: readonly Value[], changes: readonly (number | bigint)[]): void {
    const name = key.join();
    const known = this.entries.get(name);
    if (known === undefined) this.entries.set(name, { key, sums: [...changes] });
    else changes.forEach((change, index) => (known.sums[index] = typeof change === 'bigint' ? BigInt(known.sums[index] ?? 0) + change : Number(known.sums[index] ?? 0) + change));
  }

  /** Keys that begin with an hour, as those of every period that the hour belongs to. */
  inPeriods(): readonly (readonly Value[])[] {
    const all = new Sums();
    for (const { key: [hour, ...rest], sums } of this.entries.values()) for (const step of steps) all.add([step, startOf(step, Number(hour)), ...rest], sums);
    return sorted(all.entries).map(({ key, sums }) => [...key, ...sums]);
  }
}

export const createRollup = (): Rollup => {
  const dimensions = new Map<string, readonly Value[]>();
  const usage = new Sums();
  const latencies = new Sums();

  const dimensionOf = (subject: Subject, target: string | null | undefined): number => {
    const whole = { ...subject, provider: target?.split('/')[0] ?? '', target: target ?? '' };
    const values = dimensionNames.map((name) => whole[name]);
    const text = JSON.stringify(values);
    const known = dimensions.get(text)?.[0];
    if (typeof known === 'number') return known;
    const id = digest(text);
    dimensions.set(text, [id, ...values]);
    return id;
  };
  const count = (dimension: number, at: number, counters: Counters): void => usage.add([startOf('hour', at), dimension], counterNames.map((name) => counters[name] ?? 0));
  const time = (dimension: number, at: number, kind: Kind, ms: number | undefined): void => {
    if (ms !== undefined) latencies.add([startOf('hour', at), dimension, kind, bucketOf(ms)], [1]);
  };
  const spend = (charge: LedgerRow | RowCharge): Counters => ({
    input_tokens: charge.input_tokens,
    cache_read_tokens: charge.cache_read_tokens,
    cache_write_5m_tokens: charge.cache_write_5m_tokens,
    cache_write_1h_tokens: charge.cache_write_1h_tokens,
    output_tokens: charge.output_tokens,
    reasoning_tokens: charge.reasoning_tokens,
    estimated: charge.usage_source === 'estimated' ? 1 : 0,
    cost: BigInt(charge.cost ?? 0),
    unpriced: charge.cost === undefined ? 1 : 0,
  });

  return {
    settled: (row) => {
      const at = row.ended_at ?? row.opened_at;
      const dimension = dimensionOf(row, row.target);
      const outcome: OutcomeName = row.outcome ?? 'gateway_error';
      const isOk = outcome === 'ok';
      const whole: Counters = { exchanges: 1, [outcome]: 1, cache_saved: BigInt(row.cache_saved ?? 0), cache_lost: BigInt(row.cache_lost ?? 0), ok_ms: isOk ? (row.total_ms ?? 0) : 0 };
      if (row.charges === undefined) count(dimension, at, { ...whole, ...spend(row) });
      else {
        count(dimension, at, whole);
        for (const charge of row.charges) count(dimensionOf(row, charge.target), at, spend(charge));
      }
      if (!isOk) return;
      time(dimension, at, 'total', row.total_ms);
      time(dimension, at, 'first_content', row.first_content_ms);
    },
    abandoned: (subject, at, { target, input_tokens, cost }, sign) =>
      count(dimensionOf(subject, target), at, { exchanges: sign, abandoned: sign, estimated: sign, input_tokens: sign * input_tokens, ...(cost === null ? { unpriced: sign } : { cost: BigInt(sign) * cost }) }),
    dimensions: () => sorted(dimensions),
    usage: () => usage.inPeriods(),
    latencies: () => latencies.inPeriods(),
  };
};
