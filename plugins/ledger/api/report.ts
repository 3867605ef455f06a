import { invalidRequest, type GatewayError } from '../../../core/api/index.ts';
import type { QueryLedger } from '../read/queries.ts';
import type { Report, ReportQuery } from '../read/report.ts';
import type { UsageLine, UsageQuery } from '../read/lines.ts';
import { previousStart } from '../periods.ts';
import { viewNames, views } from '../tables.ts';
import { isDimension, type UsageName } from '../read/usage-name.ts';
import { describeFigures, quantiles, type Figures } from './figures.ts';
import { writeCursor, type LinesRequest } from './lines-request.ts';
import { widenTime } from './usage-request.ts';

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
  /** `cursor` of the next page; null: these are the last lines. */
  readonly next: string | null;
  /** With `top`: all other groups as one line, or as one for each bucket; and the number of groups. */
  readonly other?: readonly ReportLine[];
  readonly groups?: number;
  /** With `compare=previous`: the same for the time before, of the same length. */
  readonly previous?: Pick<UsageReport, 'from' | 'to' | 'totals' | 'lines'>;
}

/** What a report is requested by. */
export type ReportRequest = Omit<UsageQuery, 'counters' | 'quantiles'> &
  Pick<LinesRequest, 'limit' | 'after' | 'top' | 'hasPercentiles'>;

/** A report that takes longer is not completed. */
const REPORT_MS = 9_000;

const tooLong = ({ rows, by, where }: ReportRequest): GatewayError => {
  const names: readonly string[] = [...by, ...Object.keys(where)];
  const isNarrow = viewNames.some((view) => names.every((name) => (views[view] as readonly string[]).includes(name)));
  const why =
    rows === true || !names.every(isDimension)
      ? 'It reads the rows of its time: request a shorter time (from, to), or filter by organization, project or key.'
      : isNarrow
        ? 'Request a shorter time (from, to), or longer buckets (bucket).'
        : 'It reads a sum for each pair of a key and a model: request a shorter time (from, to), longer buckets ' +
          '(bucket), or filter by project or key; or leave out the names of keys or those of models (by).';
  return invalidRequest('from', `The report was not complete within ${REPORT_MS / 1_000} s. ${why}`);
};

/** A statement of SQLite cannot be interrupted: it is no longer waited for. */
async function readInTime(queryLedger: QueryLedger, request: ReportRequest): Promise<Report> {
  const { hasPercentiles, ...query } = request;
  const parameters: ReportQuery = {
    ...query,
    ...(hasPercentiles ? { quantiles } : {}),
    until: Date.now() + REPORT_MS,
  };
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, REPORT_MS, undefined);
  });
  try {
    const report = await Promise.race([queryLedger('report', parameters), end]);
    if (report === undefined) throw tooLong(request);
    return report;
  } finally {
    clearTimeout(timer);
  }
}

const describeLine = ({ start, dimensions, counters, percentiles }: UsageLine): ReportLine => ({
  ...(start === undefined ? {} : { start: new Date(start).toISOString() }),
  ...dimensions,
  ...describeFigures(counters, percentiles),
});

/**
 * The report of the time before, of the same length.
 * @param now unix milliseconds
 * @throws GatewayError KOINE_STORE_FAILED when the database does not respond; 400 when it takes too long
 */
export async function createPrevious(
  queryLedger: QueryLedger,
  request: ReportRequest,
  now: number,
): Promise<NonNullable<UsageReport['previous']>> {
  const start = previousStart(request.step, request.from, request.to);
  const [earlier, end] = widenTime({ ...request, from: start, to: request.from }, now);
  const { from, to, totals, lines } = await createReport(queryLedger, { ...request, from: earlier, to: end });
  return { from, to, totals, lines };
}

/** @throws GatewayError KOINE_STORE_FAILED when the database does not respond; 400 when it takes too long */
export async function createReport(queryLedger: QueryLedger, request: ReportRequest): Promise<UsageReport> {
  const { from, to, step, by } = request;
  const { totals, lines, other, groups, next } = await readInTime(queryLedger, request);
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    bucket: step ?? null,
    by,
    currency: 'USD',
    totals: describeFigures(totals?.counters, totals?.percentiles),
    lines: lines.map(describeLine),
    next: next === undefined ? null : writeCursor({ by }, next),
    ...(request.top === undefined ? {} : { other: other.map(describeLine), groups: groups ?? 0 }),
  };
}
