import {
  GatewayError,
  type Admission,
  type AdmittedLimit,
  type Caller,
  type Clock,
  type Exchange,
  type LimitFigures,
  type Outcome,
  type PluginInstance,
} from '../../../core/api/index.ts';
import { omitUndefined } from '../../../core/api/codec.ts';
import { amountOfDirect, amountUsed } from './amounts.ts';
import type { BudgetAlerts } from '../budgets/alerts.ts';
import { localMode, type Decider, type Ruling } from './decide.ts';
import type { ExhaustedLimits } from './exhausted.ts';
import { describeFigures } from './figures.ts';
import { fitEstimate } from './fit-estimate.ts';
import type { Leases } from './leases.ts';
import { createRefusal } from './refusal.ts';
import type { Rule, RuleSet, SelectDirectRules, SelectRules } from '../rules/rule.ts';
import type { Spent } from '../store/store.ts';

export interface AdmitParts {
  readonly selectRules: SelectRules;
  readonly selectDirect: SelectDirectRules;
  readonly decider: Decider;
  readonly leases: Leases;
  readonly budgetAlerts: BudgetAlerts;
  readonly exhausted: ExhaustedLimits;
  readonly clock: Clock;
  readonly undeclaredOutput: number;
  logShadow(rule: Rule, caller: Exchange['caller']): void;
}

/** The reservation of one request, until it is settled. */
class LimitAdmission implements Admission {
  readonly headers: Admission['headers'];
  readonly #parts: AdmitParts;
  readonly #id: string;
  readonly #tenant: string;
  readonly #ruling: Ruling;
  readonly #used: typeof amountUsed;
  readonly #decidedAt: number;
  #figures: LimitFigures | undefined;
  #isDescribed = false;

  constructor(parts: AdmitParts, id: string, tenant: string, ruling: Ruling, used: typeof amountUsed) {
    this.#parts = parts;
    this.#id = id;
    this.#tenant = tenant;
    this.#ruling = ruling;
    this.#used = used;
    this.headers = ruling.degraded ? localMode : undefined;
    this.#decidedAt = parts.clock.now();
  }

  /** Computed when it is first read: not every response has headers. */
  get limits(): LimitFigures | undefined {
    if (!this.#isDescribed) {
      this.#figures = describeFigures(this.#ruling.rules, this.#ruling.decision.states, this.#decidedAt);
      this.#isDescribed = true;
    }
    return this.#figures;
  }

  admitted(): readonly AdmittedLimit[] {
    const { rules, charges, decision } = this.#ruling;
    const admitted: AdmittedLimit[] = [];
    for (let at = 0; at < rules.length; at += 1) {
      const [rule, state] = [rules[at], decision.states[at]];
      if (rule === undefined) continue;
      admitted.push({
        scope: rule.scope,
        name: rule.holder,
        limit: rule.limit,
        reserves: charges[at]?.amount,
        remaining: state?.remaining,
        spent: state?.spent,
        resetMs: state?.resetMs,
        shadowed: state?.shadowed === true,
      });
    }
    return admitted;
  }

  /** Replaces what was reserved with what was used. Returns a promise only if the store does. Never rejects. */
  settle(outcome: Outcome): void | Promise<void> {
    const { store, rules } = this.#ruling;
    this.#parts.leases.drop(this.#id);
    const actual: number[] = [];
    for (const { limit } of rules) actual.push(this.#used(limit.unit, outcome));
    if (outcome.usage !== undefined) this.#countErrors(actual);
    this.#forgetExhausted(actual);
    let settled: ReturnType<typeof store.settle>;
    try {
      settled = store.settle(this.#tenant, this.#id, actual, outcome.endedAt);
    } catch (error) {
      // The lease of the reservation expires.
      return this.#parts.decider.settlementFailed(error);
    }
    if (settled instanceof Promise) return this.#settleLater(settled, actual, outcome.endedAt);
    this.#conclude(settled, actual, outcome.endedAt);
  }

  async #settleLater(
    settled: Promise<readonly Spent[] | undefined>,
    actual: readonly number[],
    endedAt: number,
  ): Promise<void> {
    try {
      this.#conclude(await settled, actual, endedAt);
    } catch {
      // It was logged, and is settled later: the breaker has queued it.
    }
  }

  #conclude(settled: readonly Spent[] | undefined, actual: readonly number[], endedAt: number): void {
    const { budgetAlerts, decider } = this.#parts;
    const { rules, charges, degraded } = this.#ruling;
    const id = this.#id;
    const tenant = this.#tenant;
    // A refusal that the store made before the settlement may have arrived since.
    this.#forgetExhausted(actual);
    if (decider.isShared) decider.share({ id, tenant, endedAt }, this.#ruling, settled, actual);
    // A host that counts alone has only its part of a budget, so it sends no alerts.
    if (degraded || settled === undefined) return;
    for (const { charge: index, start, spent } of settled) {
      const rule = rules[index];
      const charge = charges[index];
      if (rule === undefined || charge === undefined || rule.limit.each !== undefined) continue;
      rule.budget?.(spent / rule.limit.amount);
      budgetAlerts.spent(tenant, rule, charge, start, spent);
    }
  }

  /** Records by how many tokens the reservation was wrong. */
  #countErrors(actual: readonly number[]): void {
    const { rules, charges } = this.#ruling;
    for (let at = 0; at < rules.length; at += 1)
      rules[at]?.meter.reservationError?.(Math.abs((charges[at]?.amount ?? 0) - (actual[at] ?? 0)));
  }

  /** A request that is given back makes room at once. */
  #forgetExhausted(actual: readonly number[]): void {
    const { exhausted } = this.#parts;
    const { rules } = this.#ruling;
    for (let at = 0; at < rules.length; at += 1) {
      const rule = rules[at];
      if (rule?.limit.unit === 'requests' && actual[at] === 0) exhausted.forget(rule);
    }
  }
}

const refuse = ({ budgetAlerts, clock }: AdmitParts, { tenant }: RuleSet, ruling: Ruling): GatewayError => {
  const { decision, rules, charges, storeName, degraded } = ruling;
  const { charge: index, waitMs } = decision.refusedBy ?? { charge: 0, waitMs: 0 };
  const [rule, charge] = [rules[index], charges[index]];
  if (rule === undefined || charge === undefined)
    return new GatewayError('internal_error', 'A store of limits refused a charge that is not part of the request.');
  rule.meter.deny[storeName](1);
  const now = clock.now();
  const spent = decision.states[index]?.spent;
  if (spent !== undefined && !degraded && rule.limit.each === undefined)
    budgetAlerts.refused(tenant, rule, charge, spent, waitMs, now);
  const limits = describeFigures(rules, decision.states, now);
  const details = omitUndefined({ limits, headers: degraded ? localMode : undefined });
  return createRefusal({ rule, charge, state: decision.states[index], waitMs }, now, details);
};

const count = (parts: AdmitParts, caller: Caller, { decision: { states }, rules, storeName }: Ruling): void => {
  for (let at = 0; at < rules.length; at += 1) {
    const rule = rules[at];
    if (rule === undefined) continue;
    const shadowed = states[at]?.shadowed === true;
    rule.meter[shadowed ? 'shadow' : 'allow'][storeName](1);
    if (shadowed) parts.logShadow(rule, caller);
  }
};

/** A request that a ruling is about. */
interface Ruled extends Pick<Exchange, 'id' | 'caller'> {
  readonly set: RuleSet;
  /** Monotonic milliseconds. */
  readonly requestedAt: number;
  readonly used: typeof amountUsed;
}

/** Holds a reservation until it is settled. @param used how much of each unit was used */
export function admitRuling(
  parts: AdmitParts,
  { id, tenant, used }: { readonly id: string; readonly tenant: string; readonly used: typeof amountUsed },
  ruling: Ruling,
): Admission {
  parts.leases.hold(ruling.store, tenant, id);
  return new LimitAdmission(parts, id, tenant, ruling, used);
}

/** @throws GatewayError the refusal */
const conclude = (parts: AdmitParts, { id, caller, set, requestedAt, used }: Ruled, ruling: Ruling): Admission => {
  if (!ruling.decision.admitted) {
    parts.exhausted.note(caller, ruling, requestedAt);
    throw refuse(parts, set, ruling);
  }
  count(parts, caller, ruling);
  return admitRuling(parts, { id, tenant: set.tenant, used }, ruling);
};

/**
 * Reserves what an exchange can use, in one step over all of its limits. The admission settles what it has used.
 * Returns a promise only if the store does, and undefined if the exchange has no limits.
 */
export function createAdmit(parts: AdmitParts): NonNullable<PluginInstance['admit']> {
  const { selectRules, decider, clock, undeclaredOutput } = parts;
  return (exchange) => {
    const set = selectRules(exchange);
    if (set === undefined) return undefined;
    const { id, caller } = exchange;
    const ruled = { id, caller, set, requestedAt: clock.monotonic(), used: amountUsed };
    const ruling = decider.decide(exchange, set, fitEstimate(exchange, set, undeclaredOutput));
    return ruling instanceof Promise
      ? ruling.then((made) => conclude(parts, ruled, made))
      : conclude(parts, ruled, ruling);
  };
}

const noTokens = { estimate: { inputTokens: 0, outputTokens: 0, declared: true }, targets: [] } as const;

/** Counts a request that the gateway answers itself, in the limits of `requests` and `concurrent` for every model. */
export function createAdmitDirect(parts: AdmitParts): NonNullable<PluginInstance['admitDirect']> {
  const { selectDirect, decider, clock } = parts;
  return async ({ id }, caller) => {
    const set = selectDirect(caller);
    if (set === undefined) return undefined;
    const ruled = { id, caller, set, requestedAt: clock.monotonic(), used: amountOfDirect };
    const one = set.rules.map(() => 1);
    return conclude(parts, ruled, await decider.decide({ id, ...noTokens }, set, one));
  };
}
