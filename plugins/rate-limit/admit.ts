import { GatewayError, type Admission, type Clock, type Exchange, type Outcome, type PluginInstance } from '../../core/index.ts';
import { amountUsed } from './amounts.ts';
import { localMode, type Decide, type Ruling } from './decide.ts';
import type { ExhaustedLimits } from './exhausted.ts';
import { describeFigures } from './figures.ts';
import type { Leases } from './leases.ts';
import type { Milestones } from './milestones.ts';
import { createRefusal } from './refusal.ts';
import type { Rule, RuleSet, SelectRules } from './rules.ts';

export interface AdmitParts {
  readonly selectRules: SelectRules;
  readonly decide: Decide;
  readonly leases: Leases;
  readonly milestones: Milestones;
  readonly exhausted: ExhaustedLimits;
  readonly clock: Clock;
  noteShadow(rule: Rule, caller: Exchange['caller']): void;
}

/** Reserves what an exchange may use, in one step over all of its limits, and settles it on what it used. No promise where nothing limits it. */
export const createAdmit = ({ selectRules, decide, leases, milestones, exhausted, clock, noteShadow }: AdmitParts): NonNullable<PluginInstance['admit']> => {
  const refuse = ({ tenant }: RuleSet, ruling: Ruling): GatewayError => {
    const { decision, rules, charges, place, degraded } = ruling;
    const { charge: index, waitMs } = decision.refusedBy ?? { charge: 0, waitMs: 0 };
    const [rule, charge] = [rules[index], charges[index]];
    if (rule === undefined || charge === undefined) return new GatewayError('internal_error', 'A store of limits refused a charge that it was not asked for.');
    rule.meter.deny[place]();
    const spent = decision.states[index]?.spent;
    if (spent !== undefined && !degraded) milestones.refused(tenant, rule, charge, spent, waitMs, clock.now());
    const limits = describeFigures(rules, decision.states, clock.now());
    return createRefusal({ rule, charge, state: decision.states[index], waitMs }, clock.now(), { ...(limits === undefined ? {} : { limits }), ...(degraded ? { headers: localMode } : {}) });
  };

  const count = ({ caller }: Exchange, { decision, rules, place }: Ruling): void => {
    for (const [index, rule] of rules.entries()) {
      const shadowed = decision.states[index]?.shadowed === true;
      rule.meter[shadowed ? 'shadow' : 'allow'][place]();
      if (shadowed) noteShadow(rule, caller);
    }
  };

  const settle = async ({ id }: Exchange, { tenant }: RuleSet, { store, rules, charges, degraded }: Ruling, outcome: Outcome): Promise<void> => {
    leases.drop(id);
    const actual = rules.map(({ limit }) => amountUsed(limit.unit, outcome));
    if (outcome.usage !== undefined) {
      for (const [index, { meter }] of rules.entries()) meter.reservationError?.(Math.abs((charges[index]?.amount ?? 0) - (actual[index] ?? 0)));
    }
    const givenBack = rules.filter(({ limit: { unit } }, index) => unit === 'requests' && actual[index] === 0);
    const forget = (): void => {
      for (const rule of givenBack) exhausted.forget(rule);
    };
    try {
      forget();
      const settled = await store.settle(tenant, id, actual);
      // A refusal that the store gave before the settlement may have arrived since.
      forget();
      // A host that counts its own part for a while knows nothing of the whole.
      if (degraded || settled === undefined) return;
      for (const { charge: index, start, spent } of settled) {
        const [rule, charge] = [rules[index], charges[index]];
        if (rule === undefined || charge === undefined) continue;
        rule.budget?.(spent / rule.limit.amount);
        milestones.spent(tenant, rule, charge, start, spent);
      }
    } catch {
      // The primary is gone or stuck: its lease gives the reservation back.
    }
  };

  const admitUnder = async (set: RuleSet, exchange: Exchange): Promise<Admission> => {
    const askedAt = clock.monotonic();
    const ruling = await decide(exchange, set);
    if (!ruling.decision.admitted) {
      exhausted.note(exchange.caller, ruling, askedAt);
      throw refuse(set, ruling);
    }
    leases.hold(ruling.store, set.tenant, exchange.id);
    count(exchange, ruling);
    const limits = describeFigures(ruling.rules, ruling.decision.states, clock.now());
    return {
      ...(limits === undefined ? {} : { limits }),
      ...(ruling.degraded ? { headers: localMode } : {}),
      settle: (outcome) => settle(exchange, set, ruling, outcome),
    };
  };

  return (exchange) => {
    const set = selectRules(exchange);
    return set === undefined ? undefined : admitUnder(set, exchange);
  };
};
