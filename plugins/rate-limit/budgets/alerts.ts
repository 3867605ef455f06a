import type { LimitScope } from '../../../core/index.ts';
import { describeLimit } from '../rules/describe-limit.ts';
import type { Rule } from '../rules/rules.ts';
import type { Bucket, Charge } from '../store/store.ts';

/** What operators are told of a budget: that so much of it is spent, or that it refused somebody for the first time in a window. */
export interface BudgetAlert {
  readonly event: 'budget.threshold' | 'budget.refused';
  /** Of a threshold: the share of the amount. */
  readonly threshold?: number;
  /** Whose bucket: organization and key of the store. */
  readonly tenant: string;
  readonly bucket: string;
  readonly scope: LimitScope;
  readonly path: readonly string[];
  /** In words. */
  readonly limit: string;
  readonly enforce: boolean;
  /** Nano-dollars. */
  readonly spent: number;
  readonly amount: number;
  /** The window, in unix milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A share of a budget, and how many nano-dollars that is. */
interface Threshold {
  readonly share: number;
  readonly amount: number;
}

/** What this process has told in a window: thresholds up to so many nano-dollars, and a refusal. */
interface Told {
  readonly start: number;
  /** Of the amount, ascending; the last is all of it. */
  readonly thresholds: readonly Threshold[];
  upTo: number;
  refused: boolean;
}

/** Sees what the settlements and refusals of this process mean for operators. */
export interface BudgetAlerts {
  /** After a settlement. @param start of the window that was charged */
  spent(tenant: string, rule: Rule, charge: Charge, start: number, spent: number): void;
  /** @param waitMs until the window ends, by the clock of the store */
  refused(tenant: string, rule: Rule, charge: Charge, spent: number, waitMs: number, now: number): void;
}

const endOf = ({ bounds = [] }: Charge, start: number): number => bounds.find((bound) => bound > start) ?? start;

/**
 * @param tell takes it to where it is told once, whoever else has seen it. It is seen again where that fails
 */
export function createBudgetAlerts(tell: (alert: BudgetAlert) => Promise<unknown>): BudgetAlerts {
  const told = new WeakMap<Bucket, Told>();
  const toldOf = ({ bucket, limit: { amount, soft = [] } }: Rule, start: number): Told => {
    const known = told.get(bucket);
    if (known !== undefined && known.start >= start) return known;
    const thresholds = known?.thresholds ?? [...soft, 1].map((share) => ({ share, amount: Math.ceil(amount * share) }));
    const fresh = { start, thresholds, upTo: 0, refused: false };
    told.set(bucket, fresh);
    return fresh;
  };
  const describe = (
    tenant: string,
    { scope, holder, limit, bucket }: Rule,
    charge: Charge,
    start: number,
    spent: number,
  ) => ({
    tenant,
    bucket: bucket.key,
    scope,
    path: bucket.account?.path ?? [],
    limit: describeLimit(scope, holder, limit),
    enforce: limit.enforce,
    spent,
    amount: limit.amount,
    start,
    end: endOf(charge, start),
  });
  return {
    spent: (tenant, rule, charge, start, spent) => {
      const known = toldOf(rule, start);
      if (known.start !== start) return;
      for (const { share, amount } of known.thresholds) {
        if (amount > spent) return;
        if (amount <= known.upTo) continue;
        const before = known.upTo;
        known.upTo = amount;
        tell({ event: 'budget.threshold', threshold: share, ...describe(tenant, rule, charge, start, spent) }).catch(
          () => (known.upTo = before),
        );
      }
    },
    refused: (tenant, rule, charge, spent, waitMs, now) => {
      const { bounds = [] } = charge;
      // The window that the store means ends when it says.
      const nearest =
        bounds.toSorted((one, other) => Math.abs(one - now - waitMs) - Math.abs(other - now - waitMs))[0] ?? now;
      const start = bounds.findLast((bound) => bound < nearest) ?? now;
      const known = toldOf(rule, start);
      if (known.start !== start || known.refused) return;
      known.refused = true;
      tell({ event: 'budget.refused', ...describe(tenant, rule, charge, start, spent) }).catch(
        () => (known.refused = false),
      );
    },
  };
}
