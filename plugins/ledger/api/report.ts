import { omitUndefined } from '../../../core/index.ts';
import type { AskLedger } from '../read/questions.ts';
import type { LatencyLine, UsageKey, UsageLine, UsageQuery } from '../read/usage.ts';
import { counterNames, type CounterName, type DimensionName } from '../tables.ts';
import { describeFigures, shares, type Figures } from './figures.ts';

export type ReportLine = { readonly start?: string } & Partial<Record<DimensionName, string>> & Figures;

/** The answer of the usage API. */
export interface UsageReport {
  /** ISO 8601 in UTC: what was asked for, widened to whole buckets, or to whole hours. */
  readonly from: string;
  readonly to: string;
  readonly bucket: UsageQuery['step'] | null;
  readonly by: readonly DimensionName[];
  readonly currency: 'USD';
  readonly totals: Figures;
  /** One for each bucket and each combination of `by` in which anything was asked; empty where neither was wanted. */
  readonly lines: readonly ReportLine[];
}

const nameOf = ({ start, dimensions }: UsageKey): string => JSON.stringify([start, dimensions]);

const describeLines = (lines: readonly UsageLine[], latencies: readonly LatencyLine[]): readonly ReportLine[] => {
  const times = new Map(latencies.map((line) => [`${line.kind} ${nameOf(line)}`, line]));
  return lines.map((line) => ({
    ...(line.start === undefined ? {} : { start: new Date(line.start).toISOString() }),
    ...line.dimensions,
    ...describeFigures(line.counters, times.get(`total ${nameOf(line)}`), times.get(`first_content ${nameOf(line)}`)),
  }));
};

/** Of what is never negative, a total of 0 is 0 in every line; what the cache was worth may be either. */
const mayDiffer = ({ counters }: UsageLine): readonly CounterName[] =>
  counterNames.filter((name) => name === 'exchanges' || name === 'cache_saved' || counters[name] !== 0n);

/** @throws GatewayError KOINE_STORE_FAILED where the database cannot be asked */
export async function createReport(ask: AskLedger, { from, to, step, by, where }: UsageQuery): Promise<UsageReport> {
  const read = (query: UsageQuery) => Promise.all([ask('usage', query), ask('latencies', { ...query, shares })]);
  const isDivided = step !== undefined || by.length > 0;
  const divided: UsageQuery = omitUndefined({ from, to, step, by, where });
  const [[sum], times] = await read({ from, to, by: [], where });
  const parts = sum === undefined || !isDivided ? undefined : await read({ ...divided, counters: mayDiffer(sum) });
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    bucket: step ?? null,
    by,
    currency: 'USD',
    totals: describeFigures(
      sum?.counters,
      times.find(({ kind }) => kind === 'total'),
      times.find(({ kind }) => kind === 'first_content'),
    ),
    lines: parts === undefined ? [] : describeLines(...parts),
  };
}
