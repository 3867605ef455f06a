import { GatewayError, type ErrorDetails } from '../../../core/api/index.ts';
import { nearestBound } from '../rules/calendar.ts';
import { describeAmount, describeLimit } from '../rules/describe-limit.ts';
import type { Rule } from '../rules/rule.ts';
import type { BucketState, Charge } from '../store/store.ts';

/** When to try again for a place: a running exchange may have ended by then. */
const CONCURRENT_RETRY_MS = 1_000;

/** A limit that refused, with its charge and state. */
export interface RefusedCharge {
  readonly rule: Rule;
  readonly charge: Charge;
  readonly state: BucketState | undefined;
  readonly waitMs: number;
}

/**
 * Formats the end of the window (`2026-12-01T00:00:00Z`): the bound nearest to the wait, which is by the store's clock.
 */
const describeEnd = ({ charge: { bounds = [] }, waitMs }: RefusedCharge, now: number): string => {
  const end = nearestBound(bounds, now + waitMs) ?? now + waitMs;
  return new Date(end).toISOString().replace('.000', '');
};

const describeSpent = (refused: RefusedCharge, now: number): string => {
  const left = Math.max(0, refused.state?.remaining ?? 0);
  const usd = (amount: number): string => `${describeAmount('cost', amount)} USD`;
  const state =
    left === 0 ? ' are spent' : `: ${usd(left)} are left, and this request could use ${usd(refused.charge.amount)}`;
  return `${state}; the window ends ${describeEnd(refused, now)}.`;
};

const describeWait = (refused: RefusedCharge, now: number): string => {
  switch (refused.rule.limit.unit) {
    case 'concurrent':
      return '; try again when one has ended.';
    case 'cost':
      return describeSpent(refused, now);
    default:
      return `; try again in ${Math.max(1, Math.ceil(refused.waitMs / 1_000))}s.`;
  }
};

/**
 * The 429 of a limit. The message names the limit, its holder and when to try again. For a spent budget it names the
 * end of the window, because a retry does not help.
 * @param now unix milliseconds
 */
export function createRefusal(refused: RefusedCharge, now: number, details: ErrorDetails): GatewayError {
  const { rule, waitMs } = refused;
  const { scope, holder, limit, label } = rule;
  return new GatewayError(
    'rate_limit_exceeded',
    `Rate limit exceeded: ${describeLimit(scope, holder, limit)}${describeWait(refused, now)}`,
    {
      ...details,
      ...(limit.unit === 'cost' ? { failure: 'quota' } : {}),
      retryAfterMs: limit.unit === 'concurrent' ? CONCURRENT_RETRY_MS : Math.max(1, waitMs),
      headers: { ...details.headers, 'x-koine-limit': label },
    },
  );
}
