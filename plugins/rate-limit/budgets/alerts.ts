import type { LimitScope } from '../../../core/api/index.ts';
import { endOf, nearestBound } from '../rules/calendar.ts';
import { describeLimit } from '../rules/describe-limit.ts';
import type { Rule } from '../rules/rule.ts';
import type { Bucket, Charge } from '../store/store.ts';

/** A budget has reached a threshold, or has refused a request for the first time in a window. */
export interface BudgetAlert {
  readonly event: 'budget.threshold' | 'budget.refused';
  /** The share of the amount, for a threshold. */
  readonly threshold?: number;
  /** The organization, and the key of the bucket. */
  readonly tenant: string;
  readonly bucket: string;
  readonly scope: LimitScope;
  readonly path: readonly string[];
  /** A description of the limit. */
  readonly limit: string;
  readonly enforce: boolean;
  /** Nano-dollars. */
  readonly spent: number;
  readonly amount: number;
  /** The window, in unix milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A share of a budget, and its amount in nano-dollars. */
interface Threshold {
  readonly share: number;
  readonly amount: number;
}

/** The alerts that this process has sent for one window of a budget. */
interface Sent {
  readonly start: number;
  /** Ascending; the last is the whole amount. */
  readonly thresholds: readonly Threshold[];
  /** Thresholds up to this amount in nano-dollars. */
  upTo: number;
  refused: boolean;
}

const describe = (
  tenant: string,
  { scope, holder, limit, bucket }: Rule,
  charge: Charge,
  start: number,
  spent: number,
): Omit<BudgetAlert, 'event'> => ({
  tenant,
  bucket: bucket.key,
  scope,
  path: bucket.account?.path ?? [],
  limit: describeLimit(scope, holder, limit),
  enforce: limit.enforce,
  spent,
  amount: limit.amount,
  start,
  end: endOf(charge.bounds ?? [], start),
});

/** Detects budget alerts in the settlements and refusals of this process. */
export class BudgetAlerts {
  readonly #send: (alert: BudgetAlert) => Promise<unknown>;
  readonly #sent = new WeakMap<Bucket, Sent>();

  /** @param send publishes an alert once for all processes. If it rejects, the alert is sent again later */
  constructor(send: (alert: BudgetAlert) => Promise<unknown>) {
    this.#send = send;
  }

  /** Called after a settlement. @param start the beginning of the charged window */
  spent(tenant: string, rule: Rule, charge: Charge, start: number, spent: number): void {
    const sent = this.#sentOf(rule, start);
    if (sent.start !== start) return;
    for (const { share, amount } of sent.thresholds) {
      if (amount > spent) return;
      if (amount <= sent.upTo) continue;
      const before = sent.upTo;
      sent.upTo = amount;
      const alert = describe(tenant, rule, charge, start, spent);
      this.#send({ event: 'budget.threshold', threshold: share, ...alert }).catch(() => (sent.upTo = before));
    }
  }

  /** Called after a refusal. @param waitMs until the window ends, by the clock of the store */
  refused(tenant: string, rule: Rule, charge: Charge, spent: number, waitMs: number, now: number): void {
    const { bounds = [] } = charge;
    const end = nearestBound(bounds, now + waitMs) ?? now;
    const start = bounds.findLast((bound) => bound < end) ?? now;
    const sent = this.#sentOf(rule, start);
    if (sent.start !== start || sent.refused) return;
    sent.refused = true;
    const alert = describe(tenant, rule, charge, start, spent);
    this.#send({ event: 'budget.refused', ...alert }).catch(() => (sent.refused = false));
  }

  #sentOf({ bucket, limit: { amount, soft = [] } }: Rule, start: number): Sent {
    const known = this.#sent.get(bucket);
    if (known !== undefined && known.start >= start) return known;
    const thresholds = known?.thresholds ?? [...soft, 1].map((share) => ({ share, amount: Math.ceil(amount * share) }));
    const fresh = { start, thresholds, upTo: 0, refused: false };
    this.#sent.set(bucket, fresh);
    return fresh;
  }
}
