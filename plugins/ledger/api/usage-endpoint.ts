import { GatewayError, invalidRequest, type AdminReply, type Caller, type Headers } from '../../../core/api/index.ts';
import { isObject } from '../../../core/api/codec.ts';
import type { QueryLedger } from '../read/queries.ts';
import type { DimensionName } from '../tables.ts';
import { writeCsv } from './csv.ts';
import { createPrevious, createReport } from './report.ts';
import { readUsageRequest } from './usage-request.ts';

/** The dimensions of `/v1/usage`. Which provider a request went to is visible to operators only. */
const callerDimensions: readonly DimensionName[] = ['route', 'wire', 'operation', 'model'];

/** What a worker sends to the main thread for `GET /v1/usage`. */
export interface UsageMessage {
  readonly query: Headers;
  readonly caller: Pick<Caller, 'organization' | 'project' | 'key'>;
}
export const isUsageMessage = (message: unknown): message is UsageMessage =>
  isObject(message) && isObject(message['query']) && isObject(message['caller']);

const throwUnavailable = (thrown: unknown): never => {
  throw GatewayError.is(thrown) && thrown.code === 'KOINE_STORE_FAILED'
    ? new GatewayError('ledger_unavailable', 'The ledger cannot be read at the moment; try again in a few seconds.', {
        cause: thrown,
      })
    : thrown;
};

const isPaths = (caller: object): caller is readonly string[] => Array.isArray(caller);

const whereOf = (
  caller: UsageMessage['caller'] | readonly string[] | undefined,
): Partial<Record<DimensionName, readonly string[]>> => {
  if (caller === undefined) return {};
  if (isPaths(caller)) return { key: caller };
  return { organization: [caller.organization], project: [caller.project], key: [caller.key] };
};

/**
 * Handles `/v1/usage` and `/admin/usage`: docs/govern/usage.md.
 * @param retentionMs how long rows are kept
 * @param caller restricts the report to the usage of this key, or of keys by path; absent: everything
 * @throws GatewayError 400 for invalid parameters, 503 `ledger_unavailable`
 */
export async function handleUsage(
  queryLedger: QueryLedger,
  now: number,
  retentionMs: number,
  query: Headers,
  caller?: UsageMessage['caller'] | readonly string[],
): Promise<AdminReply> {
  const allowed = caller === undefined ? undefined : callerDimensions;
  const { format, comparesPrevious, isPaged, ...request } = readUsageRequest(query, now, now - retentionMs, allowed);
  const own = { ...request, where: { ...request.where, ...whereOf(caller) } };
  const report = await createReport(queryLedger, own).catch(throwUnavailable);
  if (comparesPrevious)
    return { body: { ...report, previous: await createPrevious(queryLedger, own, now).catch(throwUnavailable) } };
  if (format === 'json') return { body: report };
  if (report.next !== null && !isPaged)
    throw invalidRequest(
      'limit',
      `The report has more than ${request.limit} lines: filter it, request longer buckets or a shorter time, or read ` +
        `it in pages: write limit=${request.limit}, and the header link of each response has the address of the next.`,
    );
  const name = `koine-usage-${report.from.slice(0, 10)}-${report.to.slice(0, 10)}.csv`;
  const next = report.next === null ? undefined : new URLSearchParams({ ...query, cursor: report.next });
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}"`,
      ...(next === undefined ? {} : { link: `<?${next}>; rel="next"` }),
    },
    body: writeCsv(report),
  };
}
