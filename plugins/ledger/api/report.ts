import { invalidRequest } from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { MAX_LINES } from '../read/attributed.ts';
import type { QueryLedger } from '../read/queries.ts';
import type { LatencyLine, UsageKey, UsageLine, UsageQuery } from '../read/usage.ts';
import { previousStart } from '../periods.ts';
import { counterNames, type CounterName } from '../tables.ts';
import { isDimension, type UsageName } from '../read/usage-name.ts';
import { describeFigures, quantiles, type Figures } from './figures.ts';

export type ReportLine = { readonly start?: string } & Partial<Record<UsageName, string>> & Figures;

/** The response of the usage API. */
export interface UsageReport {
  /** ISO 8601 in UTC: the requested time, widened to whole buckets, or to whole hours without buckets. */
  readonly from: string;
  readonly to: string;
  readonly bucket: UsageQuery['step'] | null;
  readonly by: readonly UsageName[];
  readonly currency: 'USD';
  readonly totals: Figures;
  /** One for each bucket and combination of `by` with an exchange or attempt; empty when the report is not grouped. */
  readonly lines: readonly ReportLine[];
  /** With `compare=previous`: the same for the time before, of the same length. */
  readonly previous?: Pick<UsageReport, 'from' | 'to' | 'totals' | 'lines'>;
}

const keyOf = ({ start, dimensions }: UsageKey): string => JSON.stringify([start, dimensions]);

const describeLines = (lines: readonly UsageLine[], latencies: readonly LatencyLine[]): readonly ReportLine[] => {
  const latencyOf = new Map(latencies.map((line) => [`${line.kind} ${keyOf(line)}`, line]));
  return lines.map((line) => ({
    ...(line.start === undefined ? {} : { start: new Date(line.start).toISOString() }),
    ...line.dimensions,
    ...describeFigures(
      line.counters,
      latencyOf.get(`total ${keyOf(line)}`),
      latencyOf.get(`first_content ${keyOf(line)}`),
    ),
  }));
};

/** Counters to read for each line. One with a total of 0 is 0 in every line, except `cache_saved`, which has a sign. */
const countersToRead = ({ counters }: UsageLine): readonly CounterName[] =>
  counterNames.filter((name) => name === 'exchanges' || name === 'cache_saved' || counters[name] !== 0n);

/**
 * The report of the time before, of the same length.
 * @throws GatewayError KOINE_STORE_FAILED when the database does not respond
 */
export async function createPrevious(
  queryLedger: QueryLedger,
  query: UsageQuery,
): Promise<NonNullable<UsageReport['previous']>> {
  const earlier = { ...query, from: previousStart(query.step, query.from, query.to), to: query.from };
  const { from, to, totals, lines } = await createReport(queryLedger, earlier);
  return { from, to, totals, lines };
}

/** @throws GatewayError KOINE_STORE_FAILED when the database does not respond */
export async function createReport(
  queryLedger: QueryLedger,
  { from, to, rows, step, by, where }: UsageQuery,
): Promise<UsageReport> {
  const read = (query: UsageQuery) =>
    Promise.all([queryLedger('usage', query), queryLedger('latencies', { ...query, quantiles })]);
  const isGrouped = step !== undefined || by.length > 0;
  const [[total], latencies] = await read(omitUndefined({ from, to, rows, by: [], where }));
  const grouped: UsageQuery = omitUndefined({ from, to, rows, step, by, where });
  const parts =
    total === undefined || !isGrouped ? undefined : await read({ ...grouped, counters: countersToRead(total) });
  if ((rows === true || !by.every(isDimension)) && parts !== undefined && parts[0].length > MAX_LINES)
    throw invalidRequest(
      'by',
      `The report would have more than ${MAX_LINES} lines: filter it, or request a shorter time or longer buckets.`,
    );
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    bucket: step ?? null,
    by,
    currency: 'USD',
    totals: describeFigures(
      total?.counters,
      latencies.find(({ kind }) => kind === 'total'),
      latencies.find(({ kind }) => kind === 'first_content'),
    ),
    lines: parts === undefined ? [] : describeLines(...parts),
  };
}
