import type { EndedRequest } from '../../core/api/index.ts';
import { excerpt, isOperation, readTraceId } from '../../core/api/internal.ts';
import { clean, rowColumns, type LedgerRow } from './row.ts';
import { countColumns } from './tables.ts';
import { writeMessage } from './trail.ts';

/** Counts are 0 in a refused row, and other columns null. */
const zero = Object.fromEntries(['attempts', ...countColumns].map((name) => [name, 0]));

const MAX_NAME_LENGTH = 128;
/** The annotation with the model that a refused request asked for, if it has no other. */
export const REQUESTED_MODEL = 'ledger.requested_model';

/** JSON of the tags; null for none. */
const writeTags = ({ exchange, requested }: EndedRequest): string | null => {
  const tags = exchange?.attribution?.tags;
  if (exchange !== undefined || requested === undefined) return tags === undefined ? null : JSON.stringify(tags);
  return JSON.stringify({ [REQUESTED_MODEL]: clean(excerpt(requested, MAX_NAME_LENGTH)) });
};

/** The row of a request that was refused before it was admitted. @param endedAt unix milliseconds */
export function refusedRow(ended: EndedRequest, endedAt: number): LedgerRow {
  const { head, outcome, caller, exchange } = ended;
  const { status, result, times, error, attempts } = outcome;
  const named: Readonly<Record<string, unknown>> = {
    ...zero,
    id: head.id,
    state: 'refused',
    opened_at: endedAt - Math.round(times.total),
    ended_at: endedAt,
    organization: clean(caller?.organization ?? ''),
    project: clean(caller?.project ?? ''),
    key: clean(caller?.key ?? ''),
    route: head.route.path,
    wire: head.route.wire,
    operation: head.route.operation,
    // A name that is not in the catalog is an annotation, which no index has: there is no end to such names.
    model: exchange?.model ?? '',
    attempts: attempts.length,
    status,
    outcome: result,
    cost: 0,
    total_ms: Math.round(times.total),
    end_user: exchange?.attribution?.user,
    tags: writeTags(ended),
    stream: exchange && Number('stream' in exchange.request && exchange.request.stream),
    trace_id: readTraceId(head.headers['traceparent'] ?? ''),
    code: error?.code,
    message: writeMessage(outcome),
  };
  const values: unknown = rowColumns.map((name) => named[name] ?? null);
  return values as LedgerRow;
}

/** Chooses the refused requests that get a row: an attacker, or a client in a loop, must not fill the disk. */
export class RefusalFilter {
  readonly #perSecond: number;
  /** Rows that may still be written: for callers that are known, and for others. */
  readonly #left: { known: number; unknown: number };
  #since = 0;

  /** @param perSecond a minute's worth of them may come at once */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    const most = perSecond * BURST_SECONDS;
    this.#left = { known: most, unknown: most };
  }

  /** @param now monotonic milliseconds */
  accepts({ head, caller }: EndedRequest, now: number): boolean {
    if (!isOperation(head.route.operation)) return false;
    const gained = ((now - this.#since) / 1_000) * this.#perSecond;
    this.#since = now;
    for (const kind of ['known', 'unknown'] as const)
      this.#left[kind] = Math.min(this.#perSecond * BURST_SECONDS, this.#left[kind] + gained);
    const kind = caller === undefined ? 'unknown' : 'known';
    if (this.#left[kind] < 1) return false;
    this.#left[kind] -= 1;
    return true;
  }
}
const BURST_SECONDS = 60;
