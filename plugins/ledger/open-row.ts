import { priceUsage, type Exchange, type Usage } from '../../core/api/index.ts';
import { operations } from '../../core/api/internal.ts';
import { boundCost, boundTokens, clean, describeStart, NO_LATER_COUNTS, type LedgerRow } from './row.ts';

/** The columns that only a settled row has. */
const NOTHING = [null, null, null, null, null] as const;

/** The usage of an exchange that is never settled: its input. */
const estimateInput = ({ operation, estimate }: Exchange): Usage => {
  const inputUncached = operations[operation].isFree === true ? 0 : estimate.inputTokens;
  const none = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
  return { inputUncached, ...none, source: 'estimated' };
};

/** The open row: what is known before a request is sent. @param openedAt unix milliseconds */
export function openRow(exchange: Exchange, openedAt: number): LedgerRow {
  const { id, caller, route, operation, model, targets, attribution } = exchange;
  const target = targets[0];
  const usage = estimateInput(exchange);
  const cost = usage.inputUncached === 0 ? 0 : boundCost(target?.price && priceUsage(target.price, usage));
  return [
    id,
    'pending',
    openedAt,
    null,
    clean(caller.organization),
    clean(caller.project),
    clean(caller.key),
    route.path,
    route.wire,
    operation,
    model,
    target?.id ?? null,
    0,
    null,
    null,
    0,
    0,
    0,
    0,
    0,
    0,
    null,
    null,
    target?.price?.version ?? null,
    null,
    null,
    null,
    null,
    null,
    target?.id ?? null,
    boundTokens(usage.inputUncached),
    cost,
    null,
    attribution?.tags === undefined ? null : JSON.stringify(attribution.tags),
    ...NO_LATER_COUNTS,
    null,
    null,
    attribution?.user ?? null,
    null,
    ...describeStart(exchange),
    ...NOTHING,
    0,
  ];
}
