import { GatewayError, isObject, type AdminReply, type Caller, type Headers } from '../../../core/index.ts';
import type { AskLedger } from '../read/questions.ts';
import type { DimensionName } from '../tables.ts';
import { readUsageAsk } from './ask.ts';
import { writeCsv } from './csv.ts';
import { createReport } from './report.ts';

/** What callers may divide their own usage by: where it went behind the gateway is the operator's affair. */
const ofCallers: readonly DimensionName[] = ['route', 'wire', 'operation', 'model'];

/** What a process asks its primary for somebody with a key. */
export interface UsageMessage {
  readonly query: Headers;
  readonly caller: Pick<Caller, 'organization' | 'project' | 'key'>;
}
export const isUsageMessage = (message: unknown): message is UsageMessage =>
  isObject(message) && isObject(message['query']) && isObject(message['caller']);

const refuseOutage = (thrown: unknown): never => {
  throw GatewayError.is(thrown) && thrown.code === 'KOINE_STORE_FAILED'
    ? new GatewayError('ledger_unavailable', 'The ledger cannot be asked at the moment; try again in a few seconds.', {
        cause: thrown,
      })
    : thrown;
};

/**
 * The usage API: docs/usage.md.
 * @param caller only what this one used; absent: everyone
 * @throws GatewayError 400 for what cannot be asked, 503 `ledger_unavailable`
 */
export async function answerUsage(
  ask: AskLedger,
  now: number,
  query: Headers,
  caller?: UsageMessage['caller'],
): Promise<AdminReply> {
  const { format, ...asked } = readUsageAsk(query, now, caller === undefined ? undefined : ofCallers);
  const own =
    caller === undefined ? {} : { organization: [caller.organization], project: [caller.project], key: [caller.key] };
  const report = await createReport(ask, { ...asked, where: { ...asked.where, ...own } }).catch(refuseOutage);
  if (format === 'json') return { body: report };
  const name = `koine-usage-${report.from.slice(0, 10)}-${report.to.slice(0, 10)}.csv`;
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: writeCsv(report),
  };
}
